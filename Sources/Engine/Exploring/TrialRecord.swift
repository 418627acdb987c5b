// What came of the trials of a part of a sweep, so that another process can put all parts together.
// Confined to one sweep; what it is read from and written to is bytes.

package import Files
import Judgement
package import Simulation

/// Outcomes by journey and trial.
package final class TrialRecord {
    private var outcomes: [Key: TrialOutcome] = [:]
    /// In the order in which they were noted, so that equal sweeps give equal bytes.
    private var keys: [Key] = []

    struct Key: Hashable {
        let journey: Int
        let trial: Trial
    }

    enum Trial: Hashable {
        case given(TrialCase)
        /// By its number among those by chance.
        case byChance(Int)
    }

    package init() {}

    subscript(journey: Int, trial: Trial) -> TrialOutcome? {
        get { outcomes[Key(journey: journey, trial: trial)] }
        set {
            let key = Key(journey: journey, trial: trial)
            if outcomes.updateValue(newValue ?? TrialOutcome(), forKey: key) == nil { keys.append(key) }
        }
    }

    package func pack() -> [UInt8] {
        var packer = Packer()
        packer.put(keys.count)
        for key in keys {
            packer.put(key.journey)
            switch key.trial {
            case .given(let trial):
                packer.put(false)
                packer.put(plain: trial.mishaps)
                packer.put(trial.order != nil)
                if let order = trial.order { packer.put(plain: order) }
            case .byChance(let number):
                packer.put(true)
                packer.put(number)
            }
            if let outcome = outcomes[key] { packer.put(outcome) }
        }
        return packer.bytes
    }

    /// Takes in what another part has packed.
    package func add(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        for _ in 0..<(try unpacker.count()) {
            let journey = try unpacker.number()
            let trial: Trial
            if try unpacker.flag() {
                trial = .byChance(try unpacker.number())
            } else {
                var given = TrialCase(mishaps: try unpacker.plains(Mishap.self))
                if try unpacker.flag() { given.order = try unpacker.plains(Int.self) }
                trial = .given(given)
            }
            self[journey, trial] = try TrialOutcome(&unpacker, catalog)
        }
    }
}

/// Which trials of a sweep are done here.
package enum TrialShare {
    case all
    /// The results of the trials are noted, without stories.
    case part(Shard, TrialRecord)
    /// None: what came of them in all parts is known.
    case recorded(TrialRecord)

    var shard: Shard? { if case .part(let shard, _) = self { shard } else { nil } }
}
