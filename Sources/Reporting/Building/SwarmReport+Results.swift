// From what a swarm found to its report.
// Pure; any thread.

import ClientKit
package import Engine
import Judgement
package import ReportModel
package import Scenario
import Text

/// What is known of a client's findings before and beside a swarm.
private struct KnownFacts {
    /// As the findings were listed before the swarm.
    let kept: [KeptFinding]
    let known: [KnownFinding]
    let today: CalendarDay
    /// The folder of the client's findings.
    let folder: String
}

extension SwarmReport {
    /// - Parameters:
    ///   - kept: as the findings were listed before the swarm.
    ///   - known: those that are accepted.
    ///   - folder: that of the client's findings.
    package init(
        _ result: SwarmResult, of plan: SwarmPlan, catalog: String, users: Int, kept: [KeptFinding],
        known: [KnownFinding], today: CalendarDay, folder: String
    ) {
        let facts = KnownFacts(kept: kept, known: known, today: today, folder: folder)
        // What was not seen is not there only if every scenario that was asked for was run.
        let isWhole = !result.wasStopped && result.scenarios >= plan.runs
        let found = Self.findings(result, facts)
        let shown = Set(found.map(\.name))
        let tried = Set(result.kept.filter { $0.problem == nil }.map(\.conduct))
        let healed = kept.filter { tried.contains($0.conduct) && !shown.contains($0.name) }
        let settled = Set(healed.map(\.name))
        let everKept = Set(kept.map(\.name))
        let gone = known.map(\.finding).filter { name in
            if shown.contains(name) { return false }
            return everKept.contains(name) ? settled.contains(name) : isWhole
        }
        self.init(
            client: plan.client.name, catalog: catalog, seed: plan.seed, users: users, scenarios: result.scenarios,
            unjudged: result.unjudged, findings: found, fixed: healed.filter { !$0.isFixed }.map(\.name),
            stillFixed: healed.count(where: \.isFixed), gone: gone,
            faults: result.faults.map {
                Fault(scenario: $0.number, sentence: $0.fault.sentence, file: "\(folder)/\(Self.faultFile($0.number))")
            }, verdict: Report.Verdict(outcome: .passed, exitCode: 0))
        verdict = verdict(result)
    }

    /// The list of findings as it is after the swarm.
    ///
    /// - Parameter before: as it was.
    package func kept(after before: [KeptFinding], _ result: SwarmResult) -> [KeptFinding] {
        let (shown, fixed) = (Set(findings.map(\.name)), Set(fixed))
        let known = before.map { finding in
            var finding = finding
            if shown.contains(finding.name) { finding.isFixed = false }
            if fixed.contains(finding.name) { finding.isFixed = true }
            return finding
        }
        let conducts = Set(before.map(\.conduct))
        return known
            + result.findings.filter { !conducts.contains($0.conduct) }.map {
                KeptFinding(conduct: $0.conduct, isFixed: false, seed: seed, number: $0.first)
            }
    }

    package static func faultFile(_ number: Int) -> String { "fault-\(number).yml" }
    package static func file(_ finding: String) -> String { finding + ".yml" }

    /// What shows a conduct: a kept scenario, or drawn ones.
    private struct Shown {
        let conduct: Conduct
        let scenarios: Int
        let sentence: String
        let users, steps: Int
        let isMinimal: Bool
    }

    private static func findings(_ result: SwarmResult, _ facts: KnownFacts) -> [Finding] {
        let still = result.kept.compactMap { kept in
            kept.evidence.map {
                Shown(
                    conduct: kept.conduct, scenarios: kept.scenarios, sentence: $0.sentence, users: kept.users,
                    steps: kept.steps, isMinimal: true)
            }
        }
        let drawn = result.findings.map {
            Shown(
                conduct: $0.conduct, scenarios: $0.scenarios, sentence: $0.evidence.sentence, users: $0.users,
                steps: $0.steps, isMinimal: $0.isMinimal)
        }
        return (still + drawn).enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            return (first.conduct.rule.place, -first.scenarios, left.offset)
                < (second.conduct.rule.place, -second.scenarios, right.offset)
        }.map { finding($0.element, facts) }
    }

    private static func finding(_ shown: Shown, _ facts: KnownFacts) -> Finding {
        let (name, rule) = (shown.conduct.identifier, shown.conduct.rule)
        let path = "\(facts.folder)/\(file(name))"
        let before = facts.kept.first { $0.conduct == shown.conduct }
        let known = facts.known.first { $0.finding == name }
        let isAccepted = known.map { $0.until >= facts.today } ?? false
        return Finding(
            name: name, rule: rule.rawValue, severity: rule.severity,
            state: before.map { $0.isFixed ? .back : .there } ?? .new, scenarios: shown.scenarios,
            sentence: shown.sentence, users: shown.users, steps: shown.steps, isMinimal: shown.isMinimal, file: path,
            replay: "\(CommandName.words) run \(ShellWord.quoted(path))",
            accepted: isAccepted
                ? known.map { Acceptance(reason: $0.reason, until: $0.until.description) } : nil,
            acceptedUntil: isAccepted ? nil : known?.until.description)
    }

    /// The gravest thing that holds decides, as for a run.
    private func verdict(_ result: SwarmResult) -> Report.Verdict {
        var causes: [VerdictReason] = []
        if let fault = result.faults.first { causes.append(.faultInScenario(fault.number, fault.fault)) }
        if let cause = result.stopCause { causes.append(.scenariosLeft(cause)) }
        let open = findings.filter { $0.accepted == nil }
        if open.contains(where: { AuditRule(rawValue: $0.rule)?.isOfDeath ?? false }) {
            causes.append(.clientRaised(times: nil))
        }
        if !open.isEmpty { causes.append(.findings(open.count, accepted: findings.count - open.count)) }
        causes += open.compactMap { finding in
            finding.acceptedUntil.map { .acceptanceOver(finding: finding.name, until: $0) }
        }
        causes += gone.map { .acceptedIsGone(finding: $0) }
        causes += result.kept.compactMap { kept in
            kept.problem.map { .keptUntried(finding: kept.conduct.identifier, $0) }
        }
        if scenarios == unjudged, result.kept.isEmpty, !result.wasStopped { causes.append(.noScenarioJudged) }
        return Report.Verdict(of: causes)
    }
}
