// Hand-made reports for the tests.

import Metrics

@testable import Reporting

/// The samples by name, as arguments of tests.
enum SampleReport: String, CaseIterable {
    case passed, failed, unknown

    var report: Report {
        switch self {
        case .passed: SampleReports.passed()
        case .failed: SampleReports.failed()
        case .unknown: SampleReports.unknown()
        }
    }
}

enum SampleReports {
    static func passed() -> Report {
        var report = report(verdict: Report.Verdict(outcome: .passed, exitCode: 0))
        report.thresholds = [
            Report.Threshold(metric: "violations", expression: "count == 0", outcome: .passed, actual: 0, unit: .count),
            Report.Threshold(
                metric: "purchase_duration", expression: "p(95) < 6s", outcome: .passed, actual: 5_214_000_000,
                unit: .nanoseconds),
        ]
        report.tell(tally().measurements)
        report.host.thresholds = [
            Report.Threshold(
                metric: "memory_per_user", expression: "max < 8KiB", outcome: .passed, actual: 4_300, unit: .bytes)
        ]
        report.faultWindows = [
            Report.FaultWindow(place: .store, answer: .error, startNs: 2_000_000_000, endNs: 5_000_000_000),
            Report.FaultWindow(
                place: .validator, answer: .slow, slowByNs: 2_500_000_000, startNs: 60_000_000_000,
                endNs: 90_000_000_000),
        ]
        report.stages = [
            Report.StageBand(
                fromNs: 0, toNs: 1_000_000, count: 2,
                avg: [
                    "purchase_sending": 0, "purchase_processing": 0, "purchase_deciding": 0, "purchase_receiving": 0,
                ]),
            Report.StageBand(
                fromNs: 86_400_000_000_000, count: 3,
                avg: [
                    "purchase_sending": 1e9, "purchase_processing": 2e9, "purchase_deciding": 8.7e13,
                    "purchase_receiving": 3e9,
                ]),
        ]
        report.notes = ["The client left its queue once; results may not be reproducible."]
        return report
    }

    static func failed() -> Report {
        var report = passed()
        report.verdict = Report.Verdict(
            outcome: .failed, exitCode: 109,
            reasons: [
                "1 fault of the harness", "1_234 violations of 2 rules",
                "the threshold restore_duration p(95) < 6s failed",
            ].map { VerdictReason(.told($0, .harnessFault)) })
        report.harnessFaults = ["cell 3: transaction 77 went from finished to purchased at 00:00:04.100"]
        report.thresholds.insert(
            Report.Threshold(
                metric: "restore_duration", expression: "p(95) < 6s", outcome: .failed, actual: 6_210_400_000,
                unit: .nanoseconds), at: 1)
        report.violations = Report.Violations(
            total: 1_234,
            byRule: [
                Report.RuleCount(rule: "cancel-as-error", severity: .warning, count: 1_200),
                Report.RuleCount(rule: "lost-purchase", severity: .critical, count: 34),
            ],
            evidence: [
                evidence(1, "lost-purchase", .critical, lines: 3), evidence(2, "lost-purchase", .critical, lines: 1),
                evidence(3, "cancel-as-error", .warning, lines: 40),
            ])
        return report
    }

    static func unknown() -> Report {
        var report = report(
            verdict: Report.Verdict(
                outcome: .unknown, exitCode: 111,
                reasons: [VerdictReason(.told("a threshold had nothing to judge", .unknown))]))
        report.thresholds = [
            Report.Threshold(
                metric: "violations{rule:lost-purchase}", expression: "count == 0", outcome: .passed, actual: 0,
                unit: .count),
            Report.Threshold(
                metric: "restore_duration", expression: "p(99.9) < 30s", outcome: .unknown, unit: .nanoseconds),
        ]
        return report
    }

    static func evidence(_ number: Int, _ rule: String, _ severity: Report.Severity, lines: Int) -> Report.Evidence {
        Report.Evidence(
            number: number, rule: rule, severity: severity, user: 4_711, cell: 2, device: 1, process: 3,
            transaction: "1000000042",
            sentence: "charged 0.99 for extra_lives at 00:03:12.480, observer told at 00:03:12.611, app crashed before "
                + "the write, relaunched at 00:03:20.000, transaction redelivered to an observer that finished it.",
            timeline: (1...lines).map {
                Report.TimelineEntry(
                    number: $0, atNs: Int64($0) * 64_160_000_000,
                    text: $0 % 3 == 2
                        ? "store: charged 0.99 for com.appcoda.fakegame.extra_lives, answer lost" : "app: launch")
            },
            replay: "stampede replay Reports/latest --violation \(number)")
    }

    static func tally() -> Tally {
        let tally = Tally()
        for sample in 1...1_000 as ClosedRange<Int64> {
            tally.record(.purchaseDuration, nanoseconds: sample * 5_300_000)
            tally.recordService(.purchaseDuration, nanoseconds: sample * 5_000_000)
            tally.record(.finishDuration, nanoseconds: sample * 12_345)
            tally.record(.observerCallbackTime, nanoseconds: sample * 31)
            tally.rate(.purchaseSuccess, passed: sample % 113 != 0)
            // Nothing ends in the middle of the run.
            if !(400..<600).contains(sample) {
                tally.place(purchaseDuration: sample * 5_300_000, at: sample * 90_000_000)
                tally.place(.purchases, at: sample * 90_000_000)
            }
            tally.place(activeFrom: sample * 50_000_000, to: sample * 90_000_000)
        }
        tally.count(.purchases, by: 12_345)
        tally.count(.faults, tag: "crash", by: 31)
        tally.count(.faults, tag: "answer_lost", by: 1_200)
        tally.declare(.violations)
        tally.gauge(.memoryResident, value: 120 * 1_048_576)
        tally.gauge(.memoryResident, value: 100 * 1_048_576)
        return tally
    }

    private static func report(verdict: Report.Verdict) -> Report {
        Report(
            tool: Report.Tool(name: "stampede", version: "0.1.0"),
            scenario: Report.Scenario(
                name: "Restore storm after an update", description: "Half of all users reinstall.",
                file: "Scenarios/restore-storm.yml", source: "name: Restore storm after an update\n"),
            run: Report.Run(
                seed: 42, clock: "virtual", client: "iap-manager", clientOptions: ["mode": "strict"], users: 100_000,
                cells: 50),
            verdict: verdict, simulatedDurationNs: 600_000_000_000,
            host: Report.Host(
                startedAt: "2024-01-02T03:04:05Z", durationSeconds: 12.34, workers: 2, cores: 2, system: "Linux x86_64",
                memoryPeakBytes: 126_000_000, purchasesPerSecond: 31_000))
    }
}
