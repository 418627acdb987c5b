// What ends of client code have in common: the same crash of many users is one finding.
// A value; any thread.

package import Simulation

/// How client code brought its app down, in the words that are the same for all users.
package struct DeathCause: Sendable, Hashable {
    package let rule: AuditRule
    /// What the client died of, with function and line.
    package let reason: String?
    /// Where no reason is known, as of memory: in which call.
    package let call: ClientCall?

    init(rule: AuditRule, reason: String?, call: ClientCall?) {
        (self.rule, self.reason, self.call) = (rule, reason, call)
    }

    /// Nil for violations that are reported for each user separately.
    init?(_ violation: Violation, _ story: UserStory) {
        guard case .died(let note) = violation.finding else { return nil }
        let reason = story.input.log.reason(of: violation.process)
        self.init(rule: violation.rule, reason: reason, call: reason == nil ? note.call : nil)
    }
}
