// What a collector has found, as bytes.
// Values; any thread.

package import Files
package import Simulation

/// The numbers of a collector.
struct PackedCounts {
    let usersJudged: Int
    let chargesToDeliver: Int
    let attempts: AttemptsByKind
    let spinningUsers: Int
    let journeyEnd: Instant
    let faultCount: Int

    init(_ collector: Collector) {
        usersJudged = collector.usersJudged
        chargesToDeliver = collector.chargesToDeliver
        attempts = collector.attempts
        spinningUsers = collector.spinningUsers
        journeyEnd = collector.journeyEnd
        faultCount = collector.faultCount
    }

    struct Rule {
        let rule: FoundRule
        let count: Int

        init(_ rule: FoundRule, _ count: Int) { (self.rule, self.count) = (rule, count) }
    }

    struct Entry {
        let place: Int
        let count: Int

        init(_ place: Int, _ count: Int) { (self.place, self.count) = (place, count) }
    }
}

extension Packer {
    mutating func put(_ found: FoundViolation) {
        put(found.user)
        put(found.device)
        put(found.cell)
        put(found.evidence)
    }

    /// The receiver derives the story again from its input: the same input always gives the same story.
    package mutating func put(_ evidence: Evidence) {
        put(plain: evidence.violation)
        put(evidence.story.input)
    }
}

extension Packer {
    package mutating func put(_ conduct: Conduct) {
        put(plain: conduct.rule)
        put(plain: conduct.circumstances)
    }
}

extension Conduct {
    package init(_ unpacker: inout Unpacker) throws(TornValue) {
        rule = try unpacker.plain(AuditRule.self)
        circumstances = try unpacker.plains(Circumstance.self)
    }
}

extension FoundViolation {
    init(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        user = try unpacker.number()
        device = try unpacker.number()
        cell = try unpacker.number()
        let evidence = try Evidence(&unpacker, catalog)
        self.evidence = evidence
        cause = DeathCause(evidence.violation, evidence.story)
    }
}

extension Packer {
    /// - Parameter count: how often client code came to this end.
    mutating func put(_ cause: DeathCause, _ count: Int) {
        put(plain: cause.rule)
        put(cause.reason)
        put(plain: cause.call)
        put(count)
    }
}

extension Unpacker {
    mutating func deathCause() throws(TornValue) -> (DeathCause, Int) {
        let rule = try plain(AuditRule.self)
        let cause = DeathCause(rule: rule, reason: try optionalText(), call: try plain(ClientCall?.self))
        return (cause, try number())
    }
}

extension Evidence {
    package init(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        let violation = try unpacker.plain(Violation.self)
        self.init(violation, UserStory(of: try AuditInput(&unpacker, catalog)))
    }
}
