// What users asked their apps for, as operations that begin and end: the shape in which Jepsen keeps them.
// Plain values; any thread.

package import Simulation

/// The beginning or the end of an operation.
package struct OperationEvent: Equatable {
    package enum Outcome: String {
        case invoke, ok, fail
        /// Indeterminate: it may have taken effect.
        case info
    }

    package var at: Instant
    /// From 1.
    package var device: Int
    /// Which of the operations that the device had under way at once, from 0. One whose outcome is unknown may take
    /// effect at any time, and its number is not used again.
    package var thread: Int
    package var outcome: Outcome
    package var kind: RequestKind
    package var product: ProductIndex?
    package var quantity: Int?
    /// Purchases that a restore brought.
    package var restored: Int?
    package var error: String?
    /// What the app said of a failure or a refusal.
    package var message: String?
}

/// Where the operations of a run are kept. Any thread.
package protocol OperationRecord: Sendable {
    /// For one collector.
    func makeLog() -> any OperationLog
}

/// Takes in the operations of the users that one collector has judged. Guard: the collector's.
package protocol OperationLog: AnyObject {
    /// - Parameter events: of a user's devices, one after the other.
    func add(_ events: [OperationEvent], user: Int, isOnlyDevice: Bool, _ catalog: Catalog)
    /// Everything that was added is in the record then.
    func flush()
}
