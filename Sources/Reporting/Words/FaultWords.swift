// Sentences for what speaks against the harness itself.
// Pure; any thread.

import Engine
package import Judgement
import Simulation

extension HarnessFault {
    package var sentence: String {
        switch self {
        case .chargeWithoutTransaction(let id):
            return "the ledger has a charge for \(id.text), but there is no such transaction"
        case .transactionWithoutCharge(let id):
            return "transaction \(id.text) completed, but the ledger has no charge for it"
        case .chargedMoreThanOnce(let id, let times): return "transaction \(id.text) was charged \(times) times"
        case .identifierTwice(let id): return "two transactions have the identifier \(id.text)"
        case .finishedAndRedelivered(let id):
            return "transaction \(id.text) was finished, but the store delivered it again"
        case .illegalTransition(let handle, let from, let to):
            return "transaction \(handle) of the device went from \(from.words) to \(to.words)"
        case .effectOfDeadProcess(let process, let effect):
            return "launch \(process) had ended but still had an effect: \(effect.words)"
        case .timeWentBack(let from, let to):
            return "time went back from \(from.nanoseconds) to \(to.nanoseconds) ns"
        }
    }
}

extension RunFault {
    package var sentence: String {
        switch self {
        case .broken(let fault): fault.sentence
        case .endless: "the journey takes no time and would never end"
        case .standstill: "the journey came to a standstill"
        case .strayed(let missed): "the journey took another course than before: \(missed.text) never happened"
        case .stuck(let cell): "users waited for ever in cell \(cell)"
        case .unreadable(let problem): "the scenario cannot be read: \(problem)"
        }
    }
}
