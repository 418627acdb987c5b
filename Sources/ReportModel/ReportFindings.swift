// The judgements in a report: thresholds and violations with their evidence.
// Plain values.

package import Judgement
package import Metrics

/// The unit of a number in a report.
package enum ReportUnit: String, Codable, Sendable, CaseIterable {
    case nanoseconds = "ns"
    case bytes
    case count
    /// A share from 0 to 1.
    case fraction
    case perSecond = "per_second"
}

extension ReportUnit {
    /// The unit of what a threshold is held against.
    package init(of threshold: Threshold) {
        self =
            switch (threshold.metric.kind, threshold.aggregate) {
            case (_, .count): .count
            case (.counter, .rate): .perSecond
            case (.rate, _): .fraction
            default: ReportUnit(threshold.metric.unit)
            }
    }
}

extension Report {
    package struct Threshold: Codable, Sendable, Equatable {
        package enum Outcome: String, Codable, Sendable, CaseIterable {
            case passed, failed
            /// There was nothing to judge.
            case unknown
            /// The run has too few users for it to say anything.
            case notJudged = "not_judged"
        }

        /// With its tag, as the scenario writes it: `violations{rule:lost-purchase}`.
        package var metric: String
        /// The metric alone: `violations`.
        package var base: String
        /// What was judged.
        package var expression: String
        /// How the scenario has it; nil where it is the same.
        package var written: Written?
        package var outcome: Outcome
        /// In `unit`; nil when nothing was measured.
        package var actual: Double?
        /// What it was held against, in `unit`.
        package var limit: Double
        package var unit: ReportUnit

        package struct Written: Codable, Sendable, Equatable {
            package var expression: String
            /// How many the scenario is for.
            package var users: Int
        }
    }

    package struct Violations: Codable, Sendable, Equatable {
        package var total = 0
        /// Whose app broke any rule; nil for warnings.
        package var users: Int?
        /// Purchases that were paid for, and whose goods apps had to bring; nil for warnings.
        package var charges: Int?
        package var byRule: [RuleCount] = []
        /// By the load entry of their users, in the order of the scenario; nil for warnings.
        package var byPhase: [PhaseCount]?
        /// Not of every violation: the first few of each rule.
        package var evidence: [Evidence] = []

        package init(
            total: Int = 0, users: Int? = nil, charges: Int? = nil, byRule: [RuleCount] = [],
            byPhase: [PhaseCount]? = nil, evidence: [Evidence] = []
        ) {
            (self.total, self.users, self.charges, self.byRule) = (total, users, charges, byRule)
            (self.byPhase, self.evidence) = (byPhase, evidence)
        }
    }

    package struct RuleCount: Codable, Sendable, Equatable {
        package var rule: String
        package var severity: Severity
        package var count: Int
        /// Whose app broke it.
        package var users: Int

        package init(rule: String, severity: Severity, count: Int, users: Int) {
            (self.rule, self.severity, self.count, self.users) = (rule, severity, count, users)
        }
    }

    package struct PhaseCount: Codable, Sendable, Equatable {
        package var phase: String
        package var count: Int

        package init(phase: String, count: Int) { (self.phase, self.count) = (phase, count) }
    }

    /// One violation, with all that is needed to believe it and to see it again.
    package struct Evidence: Codable, Sendable, Equatable {
        /// What `stampede replay REPORT --violation N` asks for; from 1.
        package var number: Int
        package var rule: String
        package var severity: Severity
        package var user: Int
        package var cell: Int
        package var device: Int
        /// Which launch of the app; nil when no one launch is to blame.
        package var process: Int?
        package var transaction: String?
        /// How often client code came to this very end, in all users; nil where each breach is told apart.
        package var times: Int?
        /// What these have in common; nil as above.
        package var cause: String?
        /// The whole story in one sentence.
        package var sentence: String
        /// The calls of client code in which it came to its end, the innermost first; nil where that is one or none.
        package var frames: [String]?
        package var timeline: [TimelineEntry]
        /// Numbers of the entries that are about the violation's transaction or request.
        package var about: [Int]
        /// The last that the client printed by then, in that launch where one is to blame; nil: nothing.
        package var output: [OutputLine]?
        /// The command that runs this user alone.
        package var replay: String
        /// Of the run that it was found in, where a merged report has several; nil elsewhere.
        package var seed: UInt64?
        /// As above.
        package var population: Int?

        package init(
            number: Int, rule: String, severity: Severity, user: Int, cell: Int, device: Int, process: Int? = nil,
            transaction: String? = nil, times: Int? = nil, cause: String? = nil, sentence: String,
            frames: [String]? = nil, timeline: [TimelineEntry], about: [Int] = [], output: [OutputLine]? = nil,
            replay: String, seed: UInt64? = nil, population: Int? = nil
        ) {
            (self.number, self.rule, self.severity, self.user, self.cell) = (number, rule, severity, user, cell)
            (self.device, self.process, self.transaction, self.times) = (device, process, transaction, times)
            (self.cause, self.sentence, self.frames, self.timeline) = (cause, sentence, frames, timeline)
            (self.about, self.output, self.replay, self.seed) = (about, output, replay, seed)
            self.population = population
        }
    }

    /// A line that the client printed.
    package struct OutputLine: Codable, Sendable, Equatable {
        /// Since the start of the run.
        package var atNs: Int64
        /// The launch of the app.
        package var process: Int
        package var text: String

        package init(atNs: Int64, process: Int, text: String) {
            (self.atNs, self.process, self.text) = (atNs, process, text)
        }
    }

    /// Who takes part in a story.
    package enum Party: String, Sendable, Codable, CaseIterable {
        case person
        case app
        case storeKit
        case appStore
        /// A server of the app's own, or any other on the web.
        case server
    }

    package struct TimelineEntry: Codable, Sendable, Equatable {
        package var number: Int
        /// Since the start of the run.
        package var atNs: Int64
        /// The launch of the app; nil for what happened elsewhere.
        package var process: Int?
        package var text: String
        /// The text without who says it; nil where that is the same.
        package var label: String?
        /// Who does it: person, app, storeKit or appStore.
        package var from = Party.app
        /// Whom it reaches; the same where it is done alone.
        package var to = Party.app
        /// What a reader of the story looks for; nil for all else.
        package var kind: Kind?

        package init(
            number: Int, atNs: Int64, process: Int? = nil, text: String, label: String? = nil, from: Party = Party.app,
            to: Party = Party.app, kind: Kind? = nil
        ) {
            (self.number, self.atNs, self.process, self.text, self.label) = (number, atNs, process, text, label)
            (self.from, self.to, self.kind) = (from, to, kind)
        }

        package enum Kind: String, Codable, Sendable, CaseIterable {
            /// Money was taken, or a purchase came about without the app.
            case charge
            /// Goods are on the device.
            case delivery
            /// Goods were looked for, and none have been there so far.
            case nothingHeld
            /// The app ended by itself.
            case crash
            /// StoreKit tells what became of a purchase.
            case received = "told"
            case finish
            case answer
            case lost
        }
    }
}

extension Report {
    /// The stories of violations, then those of warnings.
    package var evidence: [Evidence] { violations.evidence + (warnings.evidence) }
}

extension Report.Violations {
    /// The gravest and most frequent first.
    package var rulesByGravity: [Report.RuleCount] {
        byRule.sorted { ($1.severity, $1.count, $0.rule) < ($0.severity, $0.count, $1.rule) }
    }
}

extension Report.Evidence {
    /// Whether both tell of the same end of client code.
    package func isAlike(_ other: Self) -> Bool { rule == other.rule && cause != nil && cause == other.cause }

    /// What to do where the app means what it did; nil where no app may.
    package var hint: String? {
        guard let rule = AuditRule(rawValue: rule), rule.isTolerable else { return nil }
        let mapped =
            rule == .cancelAsError
            ? "if the app's own error stands for a cancellation, answer it as `.cancelled` in the wrapper; "
            : ""
        return mapped + "if this is intended, write `audit: {tolerate: [\(rule.rawValue)]}` in the scenario"
    }

    /// Where a line of the device's stands among its events: what is not of a launch is the store's.
    package func devicePlace(of entry: Report.TimelineEntry) -> Int {
        timeline.count { $0.process != nil && $0.number < entry.number }
    }

    /// The last thing that the client asked for, answered or was told of what the violation is about, in the launch that is to
    /// blame where there is one; else the last that it did by itself. Nil where there is no such thing.
    package var guiltyEntry: Report.TimelineEntry? {
        let numbers = Set(about)
        let own = timeline.filter { entry in
            (entry.from == .app || entry.isTold) && numbers.contains(entry.number) && entry.process != nil
                && (process == nil || entry.process == process)
        }
        return own.last { $0.from != $0.to } ?? own.last
    }
}

extension Report.Threshold {
    package init(_ threshold: Metrics.Threshold, _ outcome: ThresholdOutcome) {
        self.init(
            metric: threshold.name, base: threshold.metric.name, expression: threshold.source, outcome: .unknown,
            limit: threshold.limit, unit: ReportUnit(of: threshold))
        rewrite(as: threshold)
        tell(outcome)
    }

    /// The same for another number of users.
    package mutating func rewrite(as threshold: Metrics.Threshold) {
        (expression, limit) = (threshold.source, threshold.limit)
        written = threshold.written.map { Written(expression: $0.expression, users: $0.users) }
    }

    /// How the scenario has it.
    package var expressionWritten: String { written?.expression ?? expression }

    package mutating func tell(_ judged: ThresholdOutcome) {
        (outcome, actual) =
            switch judged {
            case .passed(let value): (.passed, value)
            case .failed(let value): (.failed, value)
            case .unknown: (.unknown, nil)
            case .tooFewUsers(let value): (.notJudged, value)
            }
    }
}

extension Report.TimelineEntry {
    /// StoreKit tells the app of it: noted just before the client is called.
    package var isTold: Bool { from == .storeKit && to == .app }
}

extension [Report.TimelineEntry] {
    /// From 1.
    package var numbered: [Report.TimelineEntry] {
        enumerated().map { place, entry in
            var entry = entry
            entry.number = place + 1
            return entry
        }
    }
}
