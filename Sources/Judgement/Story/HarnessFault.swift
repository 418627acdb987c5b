// What is found of the harness itself while users are judged. Facts only; `FaultWords` has the words.
// Values; any thread.

package import Simulation

/// A broken invariant of the simulation itself: a bug of ours, never the client's.
package enum HarnessFault: Sendable, Equatable {
    case chargeWithoutTransaction(TransactionID)
    case transactionWithoutCharge(TransactionID)
    case chargedMoreThanOnce(TransactionID, times: Int)
    case identifierTwice(TransactionID)
    case finishedAndRedelivered(TransactionID)
    case illegalTransition(handle: Int, from: TransactionState, to: TransactionState)
    case effectOfDeadProcess(Int, Effect)
    case timeWentBack(from: Instant, to: Instant)
}
