// All sections whose keys are declared in this folder.
// Constants; any thread.

package enum KeyTables {
    /// The section of what the store does where the documentation is silent.
    package static let knobs = KeySection.behaviour.path

    /// In the order of a scenario file.
    ///
    /// - Parameter tolerable: the rules whose breach a scenario may tolerate.
    package static func sections(tolerable: [String] = []) -> [SectionFacts] {
        [
            KeySection.store.facts, KeySection.capacity.facts, KeySection.errors.facts, KeySection.subscriptions.facts,
            KeySection.outage.facts,
            KeySection.withdrawal.facts, KeySection.behaviour.facts, KeySection.validator.facts,
            KeySection.network.facts, KeySection.offline.facts, KeySection.buyers.facts, KeySection.askToBuy.facts,
            KeySection.interrupted.facts, KeySection.habits.facts, KeySection.refunds.facts,
            KeySection.population.facts, KeySection.app.facts, KeySection.faults.facts, KeySection.crash.facts,
            KeySection.delivery.facts, KeySection.exploration.facts,
            KeySection.audit(tolerable: tolerable).facts,
        ]
    }

    /// What chance has to know, by path.
    static let drawings: [String: KeyDrawing] = {
        var drawings: [String: KeyDrawing] = [:]
        for section in sections() {
            for key in section.keys where key.drawing != .byKind {
                drawings["\(section.path).\(key.name)"] = key.drawing
            }
        }
        return drawings
    }()
}
