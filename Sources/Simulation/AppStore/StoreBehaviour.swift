// How the store behaves where the documentation is silent, and how it can be broken on purpose.
// Plain values.

/// How StoreKit or the store behaves where the documentation is silent or observations differ.
/// The default of each is the commoner observation; the rule number says where it comes from. Scenarios set them
/// under `store.behaviour`, by the names of the properties in snake case.
package struct StoreBehaviour: Sendable, Equatable {
    /// R6: how often an observer that was added twice is told.
    package enum DuplicateObserver: String, Sendable, CaseIterable {
        case once
        case perAddition = "per_addition"
    }
    /// R23: how a purchase of something owned arrives.
    package enum OwnedRepurchase: String, Sendable, CaseIterable {
        case purchased
        case restored
    }
    /// R24: what a payment for a consumable with an unfinished purchase leads to.
    package enum UnfinishedRepurchase: String, Sendable, CaseIterable {
        case existingTransaction = "existing_transaction"
        case silence
    }

    package var duplicateObserver: DuplicateObserver = .once
    package var ownedRepurchase: OwnedRepurchase = .purchased
    package var unfinishedRepurchase: UnfinishedRepurchase = .existingTransaction
    /// R31: whether `restoreCompletedTransactions(withApplicationUsername:)` restores only that user's purchases.
    package var restoreFiltersUsername = false

    package init() {}
}

/// A store broken on purpose, to show that the audit and the invariants notice.
package enum StoreDefect: Sendable, Hashable {
    case chargesTwice
    case forgetsCharge
    case redeliversFinished
}
