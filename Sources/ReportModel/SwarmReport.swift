// What a swarm found, as one value: the terminal and JSON are written from it.
// A value; any thread.

package import Judgement

package struct SwarmReport: JSONReport, Codable, Sendable, Equatable {
    package var client: String
    package var catalog: String
    package var seed: UInt64
    package var users: Int
    /// Scenarios drawn and run to their end.
    package var scenarios: Int
    /// Of these, those whose journeys go on without end.
    package var unjudged: Int
    /// The gravest first.
    package var findings: [Finding]
    /// Kept findings that are not there any more, and were the last time.
    package var fixed: [String]
    /// Kept findings that were fixed before, and stay so.
    package var stillFixed: Int
    /// Accepted findings that are not there any more.
    package var gone: [String]
    package var faults: [Fault]
    package var verdict: Report.Verdict

    package init(
        client: String, catalog: String, seed: UInt64, users: Int, scenarios: Int, unjudged: Int, findings: [Finding],
        fixed: [String], stillFixed: Int, gone: [String], faults: [Fault], verdict: Report.Verdict
    ) {
        (self.client, self.catalog, self.seed, self.users) = (client, catalog, seed, users)
        (self.scenarios, self.unjudged, self.findings, self.fixed) = (scenarios, unjudged, findings, fixed)
        (self.stillFixed, self.gone, self.faults, self.verdict) = (stillFixed, gone, faults, verdict)
    }

    package struct Finding: Codable, Sendable, Equatable {
        package var name: String
        package var rule: String
        package var severity: Severity
        package var state: State
        /// Drawn scenarios that show it.
        package var scenarios: Int
        package var sentence: String
        /// Of the smallest scenario.
        package var users: Int
        package var steps: Int
        /// Whether nothing more can be taken away from it.
        package var isMinimal: Bool
        package var file: String
        package var replay: String
        /// Nil for a finding that is not accepted, or only until a day that is past.
        package var accepted: Acceptance?
        /// The day until which it was accepted, where that is past.
        package var acceptedUntil: String?

        package init(
            name: String, rule: String, severity: Severity, state: State, scenarios: Int, sentence: String, users: Int,
            steps: Int, isMinimal: Bool, file: String, replay: String, accepted: Acceptance? = nil,
            acceptedUntil: String? = nil
        ) {
            (self.name, self.rule, self.severity, self.state) = (name, rule, severity, state)
            (self.scenarios, self.sentence, self.users, self.steps) = (scenarios, sentence, users, steps)
            (self.isMinimal, self.file, self.replay, self.accepted) = (isMinimal, file, replay, accepted)
            self.acceptedUntil = acceptedUntil
        }
    }

    package enum State: String, Codable, Sendable {
        case new
        /// It was there the last time too.
        case there
        /// It was fixed, and is there again.
        case back
    }

    package struct Acceptance: Codable, Sendable, Equatable {
        package var reason: String
        package var until: String

        package init(reason: String, until: String) { (self.reason, self.until) = (reason, until) }
    }

    package struct Fault: Codable, Sendable, Equatable {
        package var scenario: Int
        package var sentence: String
        package var file: String

        package init(scenario: Int, sentence: String, file: String) {
            (self.scenario, self.sentence, self.file) = (scenario, sentence, file)
        }
    }
}

/// A kept finding, as the folder of a client's findings lists it.
package struct KeptFinding: Codable, Sendable, Equatable {
    package var conduct: Conduct
    package var isFixed: Bool
    /// Where it was found: the swarm's seed and the number of the scenario.
    package var seed: UInt64
    package var number: Int

    package init(conduct: Conduct, isFixed: Bool, seed: UInt64, number: Int) {
        (self.conduct, self.isFixed, self.seed, self.number) = (conduct, isFixed, seed, number)
    }

    package var name: String { conduct.identifier }
}
