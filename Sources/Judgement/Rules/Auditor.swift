// The audit of one user: a story, and every rule over it.
// A value kept by one worker and used again for the next user; pure otherwise, knows no clock.

import Simulation

/// Judges one user after the other. Kept between users only for the memory of the story's tables.
package struct Auditor {
    /// Of the user audited last.
    package private(set) var story = UserStory()

    package init() {}

    /// The same input always gives the same findings.
    package mutating func audit(_ input: AuditInput) -> AuditFindings {
        story.tell(input)
        var findings = AuditFindings()
        findings.faults = LedgerInvariants.faults(in: input.statement) + story.faults
        judge(into: &findings.violations)
        if !input.tolerated.isEmpty { findings.violations.removeAll { input.tolerated.contains($0.rule) } }
        if !input.missedMethods.isEmpty { findings.violations.removeAll { $0.rests(on: input.missedMethods) } }
        findings.violations.sort { $0.at < $1.at }
        return findings
    }

    /// What is to be said of a client that came to no end, or crashed in a run that was broken off: that alone, since nothing else
    /// has come to its end.
    package mutating func auditDeaths(_ input: AuditInput) -> [Violation] {
        audit(input).violations.filter(\.rule.isOfDeath)
    }

    private func judge(into violations: inout [Violation]) {
        story.judgeObservers(into: &violations)
        story.judgeIncidents(into: &violations)
        story.judgePrompts(into: &violations)
        story.judgeFinishes(into: &violations)
        story.judgeGoods(into: &violations)
        story.judgeAnswers(into: &violations)
        story.judgeSilence(into: &violations)
        story.judgeCharges(into: &violations)
        story.judgePromotions(into: &violations)
        story.judgeUnfinished(into: &violations)
    }
}

package struct AuditFindings: Sendable, Equatable {
    package var violations: [Violation] = []
    package var faults: [HarnessFault] = []

    package init() {}
}
