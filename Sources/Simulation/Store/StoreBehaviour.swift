// How the store behaves where the documentation is silent, and how it can be broken on purpose.
// Plain values.

internal import Foundation

/// How StoreKit or the store behaves where the documentation is silent or observations differ.
/// The default of each is the commoner observation; the rule number says where it comes from. Scenarios set them
/// under `store.behaviour`, by the names of the properties in snake case.
package struct StoreBehaviour: Sendable, Equatable {
    /// R6: how often an observer that was added twice is told.
    package enum DuplicateObserver: String, Sendable, CaseIterable {
        case once
        case perAddition = "per_addition"
    }
    /// R9: what becomes of a callback that was on its way when its observer was removed.
    package enum CallbackAfterRemoval: String, Sendable, CaseIterable {
        case dropped
        case delivered
    }
    /// R11: what a payment for more than ten leads to.
    package enum QuantityAboveTen: String, Sendable, CaseIterable {
        /// An invalid payment.
        case failed
        case accepted
    }
    /// R19: what finishing a deferred transaction does.
    package enum FinishDeferred: String, Sendable, CaseIterable {
        /// Nothing.
        case ignored
        /// It leaves the queue; an approval then comes as a new transaction.
        case removed
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
    /// R27: whether the `original` of a restored transaction is set. The documentation says so; apps that rely on it have
    /// crashed on phones.
    package enum RestoredOriginal: String, Sendable, CaseIterable {
        case set
        case missing
    }
    /// R28: how the transactions of a restore arrive.
    package enum RestoreInParts: String, Sendable, CaseIterable {
        /// In one call of `updatedTransactions`.
        case together
        /// Each in a call of its own, as much later than the one before as a message takes.
        case oneByOne = "one_by_one"
    }
    /// R29: how a restore ends whose password prompt was cancelled.
    package enum CancelledRestore: String, Sendable, CaseIterable {
        /// With an error, a cancelled payment's.
        case failed
        /// As if there had been nothing to restore.
        case finished
    }
    /// R30: what becomes of a restore that is asked for while one runs.
    package enum SecondRestore: String, Sendable, CaseIterable {
        /// It fails with an unknown error.
        case rejected
        /// It fails as a cancelled payment does.
        case cancelled
        /// It is the same restore, and its end that of both.
        case joined
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
    /// R40: when the failure of an interrupted purchase is told.
    package enum InterruptionFailure: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        /// Held back until the buyer returns: failure and purchase arrive back to back.
        case withResolution = "with_resolution"
    }

    /// R25: what buying an active subscription again leads to.
    package enum ActiveSubscription: String, Sendable, CaseIterable {
        case failed
        case currentTransaction = "current_transaction"
    }
    /// R47: what a change that begins with the next period leads to at once.
    package enum Downgrade: String, Sendable, CaseIterable {
        /// Nothing is told: the payment leaves the queue.
        case silence
        case currentTransaction = "current_transaction"
    }
    /// R46: whether a renewal's `original` is set.
    package enum RenewalOriginal: String, Sendable, CaseIterable {
        case missing
        case set
    }
    /// R45: whether what was bought on one device arrives on the others by itself, as far as a restore would bring it.
    package enum OtherDevices: String, Sendable, CaseIterable {
        case silence
        case delivered
    }
    /// R49: whether `updatedTransactions` is called with what was refunded.
    package enum RefundUpdate: String, Sendable, CaseIterable {
        case none
        case updated
    }

    /// R59: which user names of payments come back with their transactions.
    package enum UsernamePersistence: String, Sendable, CaseIterable {
        case always
        /// Those in the form of a UUID; any other is gone before the transaction is told again.
        case uuidOnly = "uuid_only"
    }

    /// R53: what becomes of a started, unretained request.
    package enum UnheldRequest: String, Sendable, CaseIterable {
        /// It is kept until it has answered.
        case answered
        /// It is freed, and its delegate hears nothing.
        case freed
        /// Either, from request to request.
        case random
    }

    /// R7: where observers and delegates are called.
    package enum CallbackQueue: String, Sendable, CaseIterable {
        case main
        /// On a serial queue beside the main queue.
        case background
        /// On either, from callback to callback.
        case random
    }

    package var callbackQueue: CallbackQueue = .main
    package var duplicateObserver: DuplicateObserver = .once
    package var callbackAfterRemoval: CallbackAfterRemoval = .dropped
    package var quantityAboveTen: QuantityAboveTen = .failed
    package var finishDeferred: FinishDeferred = .ignored
    package var ownedRepurchase: OwnedRepurchase = .purchased
    package var unfinishedRepurchase: UnfinishedRepurchase = .existingTransaction
    package var restoredOriginal: RestoredOriginal = .set
    package var restoreInParts: RestoreInParts = .together
    package var cancelledRestore: CancelledRestore = .failed
    package var secondRestore: SecondRestore = .rejected
    package var unheldRequest: UnheldRequest = .answered
    /// R31: whether `restoreCompletedTransactions(withApplicationUsername:)` restores only that user's purchases.
    package var restoreFiltersUsername = false
    package var declinedApproval: DeclinedApproval = .silence
    /// R36: how long an Ask to Buy request waits for an answer before it is dropped without a word.
    package var approvalExpiresAfter: Span = .hours(24)
    /// R38: whether a launch delivers what is still deferred.
    package var deferredRedelivery = true
    package var interruptionError: InterruptionError = .paymentCancelled
    package var interruptionFailure: InterruptionFailure = .atOnce

    package var activeSubscription: ActiveSubscription = .failed
    package var downgrade: Downgrade = .silence
    package var renewalOriginal: RenewalOriginal = .missing
    package var refundUpdate: RefundUpdate = .none
    package var otherDevices: OtherDevices = .silence
    package var usernamePersistence: UsernamePersistence = .always

    package init() {}
}

extension StoreBehaviour {
    /// R59: what is left of a payment's user name once the store has seen it.
    func persistent(_ username: String?) -> String? {
        guard usernamePersistence == .uuidOnly, let username else { return username }
        return UUID(uuidString: username) == nil ? nil : username
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
