// From a run's result to the one report value that every renderer reads.
// Pure but for the description of the machine.

import ClientKit
package import Engine
package import Foundation
import Hosting
import Judgement
import Metrics
package import ReportModel
import Scenario
import Simulation
import Statics
import Text

/// Builds the report of a run.
package struct ReportBuilder {
    private let result: RunResult
    private let options: RunOptions
    private let judged: [JudgedThreshold]
    private let startedAt: Date
    /// How the scenario was asked for, so that replay commands can be pasted.
    private let usersOption: Int?
    private let ignoresSaturation: Bool
    private let tags: [String: String]
    /// Those that shared the run; empty where it was one.
    private let machines: [Report.Host]
    private let identity: PlannedRun?

    /// - Parameters:
    ///   - usersOption: the population asked for on the command line, if it was.
    ///   - startedAt: when the run began, for the host section.
    ///   - tags: labels of the run, by name.
    ///   - machines: those that shared the run, in the order of their parts.
    ///   - plan: of a part of a run, what all parts have in common.
    package init(
        _ result: RunResult, options: RunOptions, usersOption: Int?, startedAt: Date, ignoresSaturation: Bool = false,
        tags: [String: String] = [:], machines: [Report.Host] = [], plan: PlannedRun? = nil
    ) {
        (self.machines, identity) = (machines, plan)
        self.tags = tags
        self.ignoresSaturation = ignoresSaturation
        self.result = result
        self.options = options
        self.usersOption = usersOption
        self.startedAt = startedAt
        judged = result.judge(options.scenario.thresholdsInForce(for: options.client.name))
    }

    private var verdict: Report.Verdict {
        // What was broken off is no part that could be merged.
        options.shard == nil || result.isUnfinished
            ? result.verdict(judged, ignoresSaturation: ignoresSaturation) : result.verdictOfPart(judged)
    }

    package func report() -> Report {
        let scenario = options.scenario
        var report = Report(
            tool: Report.Tool(name: "stampede", version: StampedeVersion.current),
            scenario: Report.Scenario(
                name: scenario.name, description: scenario.description, file: scenario.path, source: scenario.source,
                catalog: scenario.store.catalog.source),
            run: Report.Run(
                seed: scenario.seed, clock: scenario.clock.rawValue, client: options.client.name,
                clientOptions: options.clientOptions, users: result.userCount,
                population: scenario.population.users, cells: result.cellCount,
                onlyUser: options.onlyUser),
            verdict: verdict,
            simulatedDurationNs: result.simulatedDuration.nanoseconds, host: host())
        if !tags.isEmpty { report.run.tags = tags }
        report.shard = shard
        report.thresholds = judged.filter { !$0.threshold.metric.dependsOnHost }.map(describe)
        report.violations = breaches(\.isViolation)
        report.violations.charges = result.collector.chargesToDeliver
        report.violations.byPhase = options.scenario.load.enumerated().map {
            Report.PhaseCount(phase: $1.name, count: result.collector.violationsOfEntries[$0] ?? 0)
        }
        report.violations.users = result.collector.affected.count
        report.warnings = breaches(after: report.violations.evidence.count) { $0 == .warning }
        report.harnessFaults = HarnessFaultWords.sentences(of: result) { replay(user: $0) }
        report.notes = (notes() + partNotes).map(\.sentence)
        report.tell(result.collector.tally.measurements)
        report.faultWindows =
            Report.FaultWindow.all(scenario.store.conditions.outages, of: .store)
            + Report.FaultWindow.all(scenario.validator.outages, of: .validator)
        report.host.notes += hostNotes()
        report.host.thresholds = judged.filter { $0.threshold.metric.dependsOnHost }.map(describe)
        report.notes += report.scaledThresholdsNote.map { [$0.sentence] } ?? []
        return report
    }

    private func describe(_ item: JudgedThreshold) -> Report.Threshold {
        var threshold = Report.Threshold(item.threshold, item.outcome)
        // What was measured of a part is told, and says nothing of the whole.
        if options.shard != nil, !item.threshold.isLost(item.outcome) { threshold.outcome = .unknown }
        return threshold
    }

    // MARK: Violations

    /// - Parameter count: how many stories were numbered before these.
    private func breaches(after count: Int = 0, _ severities: (Severity) -> Bool) -> Report.Violations {
        let rules = FoundRule.all.filter { severities($0.severity) && result.collector.counts[$0] != nil }
            .sorted { $0.severity > $1.severity }
        let found = rules.flatMap { result.collector.evidence[$0] ?? [] }
        let evidence = zip(found, ClientFrames.words(of: found.map(\.evidence))).enumerated().map {
            describe($0.element.0, number: count + $0.offset + 1, frames: $0.element.1)
        }
        let byRule = rules.map {
            Report.RuleCount(
                rule: $0.rule.rawValue, severity: $0.severity, count: result.collector.counts[$0] ?? 0,
                users: result.collector.affected.byRule[$0] ?? 0)
        }
        return Report.Violations(total: byRule.reduce(0) { $0 + $1.count }, byRule: byRule, evidence: evidence)
    }

    private func describe(_ found: FoundViolation, number: Int, frames: [String]?) -> Report.Evidence {
        let (evidence, violation) = (found.evidence, found.evidence.violation)
        let timeline = evidence.timeline
        return Report.Evidence(
            number: number, rule: violation.rule.rawValue, severity: violation.severity,
            user: found.user, cell: found.cell, device: found.device, process: violation.process,
            transaction: violation.transaction?.text, times: found.cause.flatMap { result.collector.deaths[$0] },
            cause: found.cause?.words, sentence: evidence.sentence, frames: frames,
            timeline: timeline.lines, about: timeline.places.map { $0 + 1 },
            output: evidence.output, replay: replay(user: found.user))
    }

    /// The timeline of the one user that the run was about.
    package var onlyUserTimeline: [Report.TimelineEntry] {
        result.collector.onlyUserStories.flatMap { Narrator($0).timeline }.numbered
    }

    /// What the clients of the one user that the run was about have printed, as far as it is kept, on each device.
    package var onlyUserOutput: [[Report.OutputLine]] {
        result.collector.onlyUserStories.map { $0.input.log.lines.map(Report.OutputLine.init) }
    }

    /// The command that runs exactly that user again.
    private func replay(user: Int) -> String {
        let scenario = options.scenario
        var words = ["\(CommandName.words) run", ShellWord.quoted(scenario.path), "--seed \(scenario.seed)"]
        words.append("--clock \(scenario.clock.rawValue)")
        words.append("--client \(options.client.name)")
        words += options.settingsBesideTheScenario
        if let usersOption { words.append("--users \(usersOption)") }
        words.append("--only-user \(user)")
        return words.joined(separator: " ")
    }

    // MARK: The rest

    private func notes() -> [RunNote] {
        var notes: [RunNote] = []
        let (unjudged, isWall) = (result.unjudgedUsers, options.scenario.clock == .wall)
        let remarks = result.collector.remarkCounts
        for rule in AuditRule.allCases {
            if let count = remarks[rule] { notes.append(.remarked(rule, times: count)) }
        }
        if !result.sharedSingletons.isEmpty {
            notes.append(.sharedSingletons(result.sharedSingletons.map(\.name)))
        }
        if let cause = result.stopCause { notes.append(.stopped(cause, unjudged: unjudged)) }
        if options.scenario.warmUp > .zero { notes.append(.warmUp(options.scenario.warmUp)) }
        if let abort = result.abort {
            notes.append(
                .endedByThreshold(
                    "\(abort.threshold.name): \(abort.threshold.source)", at: abort.at,
                    judged: result.collector.usersJudged, of: result.userCount))
        }
        if result.isHalted { notes.append(.halted(isWall: isWall, unjudged: unjudged)) }
        if let count = result.crashLimit { notes.append(.crashLimit(times: count, unjudged: unjudged)) }
        if let death = result.death {
            notes.append(
                death.wasElsewhere
                    ? .crashNotAgain(cell: death.place)
                    : .workerDied(death, isWall: isWall, unjudged: unjudged))
        }
        return notes
    }

    private func hostNotes() -> [String] { remarkNotes() + [unattributedNote].compactMap(\.self) }

    private func remarkNotes() -> [String] {
        let words = RemarkWords(places: result.places)
        // Who waits for a continuation may have given its user another answer.
        let isSilent = [AuditRule.unansweredRequest, .restoreUnreported].contains {
            result.collector.countsByRule[$0] != nil
        }
        // An app that looks for a receipt does what it should, unless it never comes as far as StoreKit.
        return result.remarks.filter { remark in
            switch remark.kind {
            case .continuation: isSilent
            case .missingReceipt: !result.untried.isEmpty
            case .storeKit2Use, .signedData: false  // For `doctor`.
            default: true
            }
        }.map(words.sentence)
    }

    /// Of optional methods that StoreKit did not call, because only a subclass has them.
    package var subclassMethodNote: String? {
        result.remarks.first { $0.kind == .subclassMethod }.map(RemarkWords(places: result.places).sentence)
    }

    /// Of StoreKit calls that belong to no device.
    package var unattributedNote: String? {
        result.unattributedCalls.map { RunNote.unattributed($0, isServed: AppRuntime.isInForce).sentence }
    }

    /// The part of the run that was done; nil: all of it.
    private var shard: Report.Shard? {
        guard let shard = options.shard, let identity else { return nil }
        let cells = shard.share(of: result.cellCount)
        return Report.Shard(
            index: shard.index, of: shard.count, cells: cells.count,
            users: CellPlan(options.scenario).users(of: cells).count, plan: identity.digest)
    }

    /// What the parts of a run cannot do.
    private var partNotes: [RunNote] {
        let broken = judged.filter { item in
            guard item.threshold.abort != nil, case .failed = item.outcome else { return false }
            return true
        }
        if machines.isEmpty || broken.isEmpty { return [] }
        return [.partsIgnoredAborts(of: broken.map { "\($0.threshold.name): \($0.threshold.source)" })]
    }

    private func host() -> Report.Host {
        if !machines.isEmpty { return Report.Host(ofParts: machines) }
        return Report.Host(
            startedAt: startedAt.formatted(.iso8601), durationSeconds: result.host.seconds, workers: options.workers,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString, dependencies: Dependencies.versions,
            memoryPeakBytes: result.host.residentPeak, purchasesPerSecond: result.purchasesPerSecond
        ).asShard(shard)
    }
}

extension RunOptions {
    /// The client's options that a run of the scenario alone would not have, as the command line takes them.
    package var settingsBesideTheScenario: [String] {
        let own = client.name == scenario.client.name ? scenario.client.options : [:]
        return clientOptions.filter { own[$0.key] != $0.value }.sorted { $0.key < $1.key }.map {
            "--client-option " + ShellWord.quoted("\($0.key)=\($0.value)")
        }
    }
}

extension RunResult {
    /// In real time; nil when nothing was bought.
    package var purchasesPerSecond: Double? {
        let purchases = collector.tally.measurements[.purchases].count
        return purchases > 0 ? Double(purchases) / max(host.seconds, 1e-9) : nil
    }
}

extension Report.FaultWindow {
    static func all(_ outages: [StoreOutage], of place: Place) -> [Report.FaultWindow] {
        outages.map { outage in
            let end = outage.start + outage.duration
            var window = Report.FaultWindow(
                place: place, answer: .error, startNs: outage.start.nanoseconds, endNs: end.nanoseconds)
            switch outage.answer {
            case .error: break
            case .timeout: window.answer = .timeout
            case .slow(let span):
                window.answer = .slow
                window.slowByNs = span.nanoseconds
            }
            return window
        }
    }
}
