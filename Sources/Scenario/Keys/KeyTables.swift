// All sections of a scenario.
// Constants; any thread.

import Metrics

package enum KeyTables {
    /// The section of what the store does where the documentation is silent.
    package static let knobs = KeySection.behaviour.path

    /// The top of the file, which is the same whatever may be tolerated.
    static let top = ScenarioSchema(clients: [:], rules: [], toleratedRules: []).top.facts

    /// In the order of a scenario file.
    ///
    /// - Parameter tolerable: the rules whose breach a scenario may tolerate.
    package static func sections(tolerable: [String] = []) -> [SectionFacts] {
        let top = ScenarioSchema(clients: [:], rules: [], toleratedRules: tolerable).top.facts
        return [
            top, KeySection.store.facts, KeySection.capacity.facts, KeySection.errors.facts,
            KeySection.subscriptions.facts, KeySection.outage.facts, KeySection.withdrawal.facts,
            KeySection.behaviour.facts, KeySection.validator.facts, KeySection.server.facts, KeySection.network.facts,
            KeySection.offline.facts,
            KeySection.buyers.facts, KeySection.askToBuy.facts, KeySection.interrupted.facts, KeySection.habits.facts,
            KeySection.refunds.facts, KeySection.population.facts, KeySection.app.facts, KeySection.entry.facts,
            KeySection.end.facts,
        ] + ScenarioStep.sections + [
            KeySection.faults.facts, KeySection.crash.facts, KeySection.effect.facts, KeySection.delivery.facts,
            KeySection.verification.facts, KeySection.exploration.facts,
            KeySection.audit(tolerable: tolerable).facts, KeySection.threshold(on: .whole(.purchaseDuration)).facts,
        ]
    }
}
