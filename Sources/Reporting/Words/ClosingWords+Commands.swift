// The answers of sweeps, swarms, matrices, replays and comparisons in one line, and what to type next.
// Pure; what they found is all it knows.

import Engine
import Judgement
import ReportModel
import Simulation
import Text

extension ClosingWords {
    // MARK: Sweeps

    /// `lost-purchase in 12 trials (critical) · 58 trials`
    static func sentence(_ report: SweepReport) -> String {
        let trials = HumanNumbers.quantity(report.journeys.reduce(0) { $0 + $1.done }, "trial")
        let stories = report.journeys.flatMap(\.stories)
        if stories.isEmpty {
            return report.verdict.sentences.first.map { "\($0) · \(trials)" } ?? "\(trials), no rule was broken"
        }
        var rules: [(rule: String, severity: Severity, trials: Int)] = []
        for story in stories {
            if let place = rules.firstIndex(where: { $0.rule == story.rule }) {
                rules[place].trials += story.trials
            } else {
                rules.append((story.rule, story.severity, story.trials))
            }
        }
        let words = rules.sorted { ($1.severity, $1.trials, $0.rule) < ($0.severity, $0.trials, $1.rule) }.map {
            "\($0.rule) in \(HumanNumbers.quantity($0.trials, "trial")) (\($0.severity.rawValue))"
        }
        return "\(first(words, "rule")) · \(trials)"
    }

    /// The gravest story once more.
    static func next(_ report: SweepReport) -> String? {
        let stories = report.journeys.flatMap(\.stories)
        return stories.first { story in stories.allSatisfy { $0.severity <= story.severity } }?.replay
    }

    // MARK: Swarms

    /// `3 findings: lost-purchase-3f2a (critical, new) · 1,000 scenarios`
    static func sentence(_ report: SwarmReport) -> String {
        let scenarios = HumanNumbers.quantity(report.scenarios, "scenario")
        let open = report.openFindings
        if !open.isEmpty {
            let words = open.map { "\($0.name) (\($0.severity.rawValue), \($0.state.rawValue))" }
            return "\(HumanNumbers.quantity(open.count, "finding")): \(first(words, "finding")) · \(scenarios)"
        }
        if let reason = report.verdict.sentences.first { return "\(reason) · \(scenarios)" }
        let accepted = report.findings.count
        return "\(scenarios), no finding"
            + (accepted > 0 ? " except \(HumanNumbers.quantity(accepted, "accepted finding"))" : "")
    }

    static func next(_ report: SwarmReport) -> String? { report.openFindings.first?.replay }

    // MARK: Matrices

    /// `3 of 9 clients broke rules: iap-manager in 4 of 4 scenarios, pay-api in 2 of 4 …`
    static func sentence(_ report: MatrixReport) -> String {
        let scenarios = HumanNumbers.quantity(report.rows.count, "scenario")
        let counts = report.clients.indices.map { place in
            report.rows.count { $0.cell(place)?.isWrong ?? false }
        }
        let wrong = report.clients.indices.filter { counts[$0] > 0 }.sorted { (-counts[$0], $0) < (-counts[$1], $1) }
        let clients = HumanNumbers.quantity(report.clients.count, "client")
        let left = report.rows.reduce(0) { sum, row in sum + report.clients.indices.count { row.cell($0) == nil } }
        let untried = report.rows.reduce(0) { sum, row in sum + row.cells.count { $0?.untried.isEmpty == false } }
        let doubts =
            (left > 0 ? [" · \(HumanNumbers.quantity(left, "run")) not run"] : [])
            + (untried > 0 ? [" · nothing tried in \(HumanNumbers.quantity(untried, "run"))"] : [])
        if wrong.isEmpty { return "\(clients), \(scenarios), no rule was broken" + doubts.joined() }
        let words = wrong.map { "\(report.clients[$0]) in \(HumanNumbers.count(counts[$0])) of \(scenarios)" }
        return "\(HumanNumbers.count(wrong.count)) of \(clients) broke rules: \(first(words, "client"))"
            + doubts.joined()
    }

    /// A run of the gravest cell by itself.
    static func next(_ report: MatrixReport) -> String? {
        var worst: (gravity: [Int], row: MatrixReport.Row, client: String)?
        for row in report.rows {
            for (place, client) in report.clients.enumerated() {
                guard let cell = row.cell(place), cell.isWrong else { continue }
                if let worst, !worst.gravity.lexicographicallyPrecedes(cell.gravity) { continue }
                worst = (cell.gravity, row, client)
            }
        }
        return worst.map {
            "\(CommandName.words) run \(ShellWord.quoted($0.row.file)) --client \(ShellWord.quoted($0.client)) "
                + "--users \($0.row.users) --seed \($0.row.seed) --clock virtual"
        }
    }

    // MARK: Replays

    /// `lost-purchase came back in the same way: user 3 of iap-manager`
    static func sentence(_ replay: Replay) -> String {
        let rule = replay.evidence.rule
        let way =
            replay.again == nil
            ? "did not come back" : replay.isSame ? "came back in the same way" : "was broken again, in another way"
        return "\(rule) \(way): user \(replay.evidence.user) of \(replay.client), seed \(replay.seed)"
    }

    /// - Parameter location: of the report.
    static func next(_ replay: Replay, location: String?) -> String? {
        guard replay.again != nil, let location else { return nil }
        return "\(CommandName.words) shrink \(ShellWord.quoted(location)) --violation \(replay.evidence.number)"
    }

    // MARK: Comparisons

    /// `violations 0 → 12 (changed), purchase_duration p(95) 1s → 1.3s and 2 figures more`
    static func sentence(_ comparison: Comparison) -> String {
        let worse = comparison.lines.filter { $0.verdict == .worse }
        let better = comparison.lines.count { $0.verdict == .better }
        let gain = better > 0 ? " · \(HumanNumbers.quantity(better, "figure")) better" : ""
        if worse.isEmpty {
            return "none of \(HumanNumbers.quantity(comparison.lines.count, "figure")) got worse" + gain
        }
        let words = worse.map { "\($0.name) \($0.text(of: $0.base)) → \($0.text(of: $0.candidate))" }
        return "\(HumanNumbers.quantity(worse.count, "figure")): \(first(words, "figure"))" + gain
    }

    /// - Parameters:
    ///   - reports: what was compared, the base and the candidate; nil where no report was kept.
    static func next(_ comparison: Comparison, reports: (base: String, candidate: String)?) -> String? {
        guard comparison.isWorse, let reports else { return nil }
        let rules = AuditRule.allCases.map { FigureName.violations(of: $0.rawValue) } + [FigureName.violations]
        let isOfRules = comparison.lines.contains { $0.verdict == .worse && rules.contains($0.name) }
        let candidate = ShellWord.quoted(reports.candidate)
        if isOfRules, comparison.candidateRuns == 1 { return "\(CommandName.words) replay \(candidate)" }
        return "\(CommandName.words) compare \(ShellWord.quoted(reports.base)) \(candidate) --all"
    }
}

extension Comparison.Line {
    func text(of value: Double?) -> String { value.map { HumanNumbers.value($0, unit: unit) } ?? "-" }
}

extension SwarmReport {
    /// Those that are not accepted; what ended the client first, as it decides the verdict.
    var openFindings: [Finding] {
        let open = findings.filter { $0.accepted == nil }
        let isOfDeath = open.map { AuditRule(rawValue: $0.rule)?.isOfDeath ?? false }
        return zip(open, isOfDeath).filter(\.1).map(\.0) + zip(open, isOfDeath).filter { !$0.1 }.map(\.0)
    }
}

extension MatrixReport {
    var isWrong: Bool { rows.contains { $0.cells.contains { $0?.isWrong ?? false } } }
    /// Everything was run and tried, and nothing is wrong.
    var isClean: Bool {
        isWhole && !isWrong && rows.allSatisfy { $0.cells.allSatisfy { $0?.untried.isEmpty ?? false } }
    }
}

extension MatrixReport.Row {
    /// Nil where it was not run.
    func cell(_ place: Int) -> MatrixReport.Cell? { cells.indices.contains(place) ? cells[place] : nil }
}

extension MatrixReport.Cell {
    /// Broken rules, a crash, or a fault of the harness.
    var isWrong: Bool { gravity.contains { $0 > 0 } }

    /// The graver the later in order.
    var gravity: [Int] {
        let status = ExitStatus(exitCode: exitCode)
        return [status == .harnessFault ? 1 : 0, status == .clientCrashed ? 1 : 0, critical, error, warning]
    }
}
