// How the store behaves where the documentation is silent, and how it can be broken on purpose.
// Plain values.

/// How StoreKit or the store behaves where the documentation is silent or observations differ.
/// The default is the more frequent observation; the rule number names its source.
/// Scenarios set these properties under `store.behaviour`, with names in snake case, as they do a phone's.
@dynamicMemberLookup
package struct StoreBehaviour: Sendable, Equatable {
    /// R11: what a payment for more than ten leads to.
    package enum QuantityAboveTen: String, Sendable, CaseIterable {
        /// An invalid payment.
        case failed
        case accepted
    }
    /// R24: what a payment for a consumable with an unfinished purchase leads to.
    package enum UnfinishedRepurchase: String, Sendable, CaseIterable {
        case existingTransaction = "existing_transaction"
        case silence
    }
    /// R37: what a declined Ask to Buy request leads to.
    package enum DeclinedApproval: String, Sendable, CaseIterable {
        /// Nothing: the transaction stays deferred.
        case silence
        case failed
    }
    /// R40: the error of an interrupted purchase.
    package enum InterruptionError: String, Sendable, CaseIterable {
        case paymentCancelled = "payment_cancelled"
        /// Unknown, with an underlying error 2024 of the store's own domain.
        case unknown
    }
    /// R25: what buying an active subscription again leads to.
    package enum ActiveSubscription: String, Sendable, CaseIterable {
        case failed
        case currentTransaction = "current_transaction"
    }
    /// R47: what a change that begins with the next period leads to at once.
    package enum Downgrade: String, Sendable, CaseIterable {
        /// The app receives nothing: the payment leaves the queue.
        case silence
        case currentTransaction = "current_transaction"
    }
    /// R46: whether a renewal's `original` is set.
    package enum RenewalOriginal: String, Sendable, CaseIterable {
        case missing
        case set
    }
    /// S53: what `purchase` answers when the buyer has to mend the account first.
    package enum InterruptedPurchase: String, Sendable, CaseIterable {
        case pending
        case cancelled
        case unknown
    }
    /// S56: what StoreKit 2 answers to a second purchase of an owned product.
    package enum OwnedRepurchase2: String, Sendable, CaseIterable {
        /// The first transaction.
        case original
        /// A new one, without a charge.
        case new
    }
    package var quantityAboveTen: QuantityAboveTen = .failed
    package var unfinishedRepurchase: UnfinishedRepurchase = .existingTransaction
    /// R31: whether `restoreCompletedTransactions(withApplicationUsername:)` restores only that user's purchases.
    package var restoreFiltersUsername = false
    package var declinedApproval: DeclinedApproval = .silence
    /// R36: how long an Ask to Buy request waits for an answer before it is dropped without a word.
    package var approvalExpiresAfter: Span = .hours(24)
    package var interruptionError: InterruptionError = .paymentCancelled

    package var activeSubscription: ActiveSubscription = .failed
    package var downgrade: Downgrade = .silence
    package var renewalOriginal: RenewalOriginal = .missing
    package var interruptedPurchase: InterruptedPurchase = .pending
    package var ownedRepurchase2: OwnedRepurchase2 = .original

    /// What is a phone's to decide.
    package var client = ClientRules()

    package init() {}

    package subscript<Value>(dynamicMember rule: WritableKeyPath<ClientRules, Value>) -> Value {
        get { client[keyPath: rule] }
        set { client[keyPath: rule] = newValue }
    }
}

/// A store broken on purpose, to show that the audit and the invariants notice.
package enum StoreDefect: Sendable, Hashable {
    case chargesTwice
    case forgetsCharge
    case redeliversFinished
    case forgetsTransaction
    case notesTransactionTwice
}
