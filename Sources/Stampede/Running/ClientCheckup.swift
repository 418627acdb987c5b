// What a few users say of a client: whether it can be judged, not whether it is right.
// A value; any thread.

import Engine
import Foundation
import Judgement
import Metrics
import Reporting
import Simulation

struct ClientCheckup {
    private let result: RunResult
    private let report: Report
    /// An app that calls StoreKit from nowhere is not judged, nor one that StoreKit cannot call; every other note of the report
    /// leaves the verdict alone.
    private let obstacles: [String?]

    /// What decides a request may be told later than at once, but not much.
    private static let answerDelayMax: Int64 = 1_000_000_000

    init(_ result: RunResult, _ options: RunOptions) {
        self.result = result
        let builder = ReportBuilder(result, options: options, usersOption: nil, startedAt: Date())
        (report, obstacles) = (builder.report(), [builder.unattributedNote, builder.subclassMethodNote])
    }

    var checks: [DoctorReport.Check] {
        let ended = endings
        // Of a client that did not come to its end nothing else is known.
        if !ended.isEmpty { return ended }
        return requests + [answers, goods, tasks, servers].compactMap(\.self) + outside + [found]
    }

    private var endings: [DoctorReport.Check] {
        report.verdict.reasons.compactMap { reason in
            switch reason.cause {
            case .clientRaised, .clientExited, .clientOverran, .clientHung, .workerDied, .usersStuck, .journeysEndless,
                .journeysSpinning:
                DoctorReport.Check(
                    .bad, reason.sentence,
                    hint: evidence(.clientCrash, .clientExit, .clientMemory, .clientHang)?.sentence)
            default: nil
            }
        }
    }

    /// Whether each member comes to something.
    private var requests: [DoctorReport.Check] {
        RequestKind.allCases.compactMap { kind in
            let attempts = result.collector.attempts[kind]
            let asked = attempts.tried + attempts.untried
            if asked == 0 { return nil }
            let member = "`\(kind.member)`"
            guard attempts.areAllUntried else {
                return DoctorReport.Check(
                    .good, "\(member) was called \(times(asked)), and StoreKit \(times(attempts.tried))")
            }
            return DoctorReport.Check(
                .bad, "\(member) was called \(times(asked)), and StoreKit never", hint: hint(attempts, member))
        }
    }

    /// Why the app may never have called StoreKit.
    private func hint(_ attempts: Attempts, _ member: String) -> String {
        if result.remarks.contains(where: { $0.kind == .missingReceipt }), attempts.refused < attempts.untried {
            return
                "the app looked for its receipt, and there was none: a device has one after the first purchase, restore or "
                + "refresh (SKReceiptRefreshRequest), so refresh it first, or go on without it"
        }
        return attempts.refused > 0
            ? "the app may not know these products: name its own StoreKit configuration file with --catalog"
            : "look at \(member): it has to call the app's code, which has to call StoreKit"
    }

    private func times(_ count: Int) -> String { count == 1 ? "once" : "\(HumanNumbers.count(count)) times" }

    private var answers: DoctorReport.Check? {
        if let silent = evidence(.unansweredRequest, .restoreUnreported) {
            let count = self.count(.unansweredRequest) + self.count(.restoreUnreported)
            return DoctorReport.Check(
                .bad, "\(HumanNumbers.quantity(count, "request")) had no answer. The first: \(silent.sentence)",
                hint: "every way through the app's code has to call the completion, or to return, once")
        }
        guard let delay = report.metrics.first(where: { $0.name == MetricName.answerDelay.name })?.response else {
            // Nobody asked, or nobody waited for an answer to the end.
            return nil
        }
        let longest = HumanNumbers.duration(nanoseconds: delay.max)
        if delay.max > Self.answerDelayMax {
            return DoctorReport.Check(
                .note, "Answers come up to \(longest) after the callback that decides them",
                hint: "people wait for so long with everything done")
        }
        let when = delay.max == 0 ? "as soon as it was decided" : "\(longest) after it was decided at the latest"
        return DoctorReport.Check(.good, "Every request was answered, \(when)")
    }

    private var goods: DoctorReport.Check? {
        let tally = result.collector.tally.measurements
        guard tally[.purchases].count > 0 else { return nil }
        // Where everything was lost they have shown nothing, whatever came in between.
        if count(.lostPurchase) >= tally[.purchases].count { return nil }
        if tally[.deliveries].count > 0 { return DoctorReport.Check(.good, "`holdings` showed what was bought") }
        return DoctorReport.Check(
            .bad, "`holdings` never showed anything that was bought",
            hint: "it reads what is in durable storage, by product identifier, as a launch after a crash would find it")
    }

    private var tasks: DoctorReport.Check? {
        guard result.taskJobs > 0 else { return nil }
        return DoctorReport.Check(
            .good, "\(HumanNumbers.quantity(result.taskJobs, "job")) of Swift's tasks ran as events of their devices")
    }

    /// An app that waits for its own server's word cannot be judged without it.
    private var servers: DoctorReport.Check? {
        guard let remark = result.remarks.first(where: { $0.kind == .server }), let first = remark.subjects.min() else {
            return nil
        }
        return DoctorReport.Check(
            .bad, "The app asks a server that the scenario does not describe, and finds nobody there: \(first.name)",
            hint: "in the scenario: `\(ServerWords.stubs(for: remark))`, with the answer that your server gives")
    }

    private var outside: [DoctorReport.Check] {
        report.host.notes.map { DoctorReport.Check(obstacles.contains($0) ? .bad : .note, $0) }
    }

    /// Not doctor's business, and what its reader wants to know next.
    private var found: DoctorReport.Check {
        let rules = report.violations.byRule.sorted { $0.severity > $1.severity }
        if rules.isEmpty { return DoctorReport.Check(.good, "So few users found nothing wrong: have thousands look") }
        let texts = rules.map { "\($0.rule) \(HumanNumbers.count($0.count))" }
        return DoctorReport.Check(
            .note, "They found: \(texts.joined(separator: ", "))", hint: "`\(CommandName.words) run` tells the stories")
    }

    private func count(_ rule: AuditRule) -> Int {
        report.violations.byRule.first { $0.rule == rule.rawValue }?.count ?? 0
    }

    private func evidence(_ rules: AuditRule...) -> Report.Evidence? {
        report.violations.evidence.first { evidence in rules.contains { $0.rawValue == evidence.rule } }
    }
}
