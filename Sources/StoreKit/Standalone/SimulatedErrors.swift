// The errors that a test session has StoreKit 2's calls throw. Without a session there are none.
// Any thread: a lock guards them.

package import Simulation
import Synchronization

/// One set for all sessions: there is one environment (S100).
package final class SimulatedErrors: Sendable {
    private static let shared = SimulatedErrors()

    private let errors = Mutex(Errors())

    /// By the call that throws them.
    package struct Errors: Sendable {
        package var products: (any Error)?
        package var purchase: (any Error)?
        package var sync: (any Error)?
        package var status: (any Error)?
        package var appTransaction: (any Error)?
        package var manageSubscriptions: (any Error)?
        package var refundRequest: (any Error)?
        package var offerCodeRedeem: (any Error)?
        /// S103: what StoreKit hands over is unverified, for this reason.
        package var verification: VerificationFlaw?

        package init() {}
    }

    private init() {}

    package static var now: Errors {
        get { shared.errors.withLock { $0 } }
        set { shared.errors.withLock { $0 = newValue } }
    }
}
