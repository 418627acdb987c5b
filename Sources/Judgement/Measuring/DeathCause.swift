// What ends of client code have in common: the same crash of many users is one finding.
// A value; any thread.

import Simulation

/// How client code brought its app down, as it is told of all users alike.
package struct DeathCause: Sendable, Hashable {
    package let rule: AuditRule
    /// Of what, in which function, at which line; of memory, in which call.
    package let text: String

    init(rule: AuditRule, text: String) { (self.rule, self.text) = (rule, text) }

    /// Nil for what is told of each user apart.
    init?(_ violation: Violation, _ story: UserStory) {
        guard case .died(let note) = violation.finding else { return nil }
        let reason = story.input.log.reason(of: violation.process)
        self.init(rule: violation.rule, text: reason ?? "\(note.call)")
    }
}
