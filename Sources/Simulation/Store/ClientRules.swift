// What a phone decides by itself where StoreKit's documentation is silent.
// Plain values.

internal import Foundation

/// How StoreKit behaves on a phone, as `StoreBehaviour` has it for the store. A device takes them when it is made.
package struct ClientRules: Sendable, Equatable {
    /// R6: how often StoreKit calls an observer that was added twice.
    package enum DuplicateObserver: String, Sendable, CaseIterable {
        case once
        case perAddition = "per_addition"
    }
    /// R7: where observers and delegates are called.
    package enum CallbackQueue: String, Sendable, CaseIterable {
        case main
        /// On a serial queue beside the main queue.
        case background
        /// On either, from callback to callback.
        case random
    }
    /// R9: what becomes of a callback that was on its way when its observer was removed.
    package enum CallbackAfterRemoval: String, Sendable, CaseIterable {
        case dropped
        case delivered
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
    /// R40: when StoreKit delivers the failure of an interrupted purchase.
    package enum InterruptionFailure: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        /// Held back until the buyer returns: failure and purchase arrive back to back.
        case withResolution = "with_resolution"
    }
    /// R45: whether a purchase on one device arrives on the user's other devices by itself,
    /// as far as a restore brings it.
    package enum OtherDevices: String, Sendable, CaseIterable {
        case silence
        case delivered
    }
    /// R49: whether `updatedTransactions` is called with what was refunded.
    package enum RefundUpdate: String, Sendable, CaseIterable {
        case none
        case updated
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
    /// R59: which user names of payments come back with their transactions.
    package enum UsernamePersistence: String, Sendable, CaseIterable {
        case always
        /// User names that are a UUID; StoreKit drops any other name before it delivers the transaction again.
        case uuidOnly = "uuid_only"
    }

    /// S2: what `Transaction.updates` begins a launch with.
    package enum UpdatesAtLaunch: String, Sendable, CaseIterable {
        case unfinished
        case nothing
    }
    /// S4: whether each iterator of `Transaction.updates` begins with what is unfinished.
    package enum UpdatesReplay: String, Sendable, CaseIterable {
        /// The first one of a launch.
        case onceAProcess = "once_a_process"
        case eachIterator = "each_iterator"
    }
    /// S42: when `finish` returns.
    package enum FinishReturns: String, Sendable, CaseIterable {
        case atOnce = "at_once"
        /// Once the store has heard of it, or could not be reached.
        case confirmed
    }
    /// S64: whether the first iterator of `Status.updates` begins with the statuses as they are.
    package enum StatusAtStart: String, Sendable, CaseIterable {
        case silent
        case emitted
    }
    /// S6: whether what `purchase` has returned comes by `Transaction.updates` as well, seconds later.
    package enum PurchaseEcho: String, Sendable, CaseIterable {
        case none
        case once
        case repeated

        var count: Int64 {
            switch self {
            case .none: 0
            case .once: 1
            case .repeated: 3
            }
        }
    }
    /// S59: what becomes of a `purchase` while another one of the app is under way.
    package enum ConcurrentPurchase: String, Sendable, CaseIterable {
        /// It waits for its turn.
        case serial
        case unknownError = "unknown_error"
    }
    /// S12: whether a launch emits what was refunded while the app was closed.
    package enum RefundAtLaunch: String, Sendable, CaseIterable {
        case silent
        case emitted
    }
    /// S28: what a device without a network knows of the account's purchases.
    package enum EntitlementsOffline: String, Sendable, CaseIterable {
        /// What it knew when it last reached the store.
        case cached
        case empty
    }
    /// S90, S91: whether a purchase by one API comes by the other one's listeners too, in the same launch.
    package enum OtherAPI: String, Sendable, CaseIterable {
        case silent
        case emitted
    }
    /// S81: what `AppStore.sync` throws without a network.
    package enum SyncOffline: String, Sendable, CaseIterable {
        case userCancelled = "user_cancelled"
        case networkError = "network_error"
    }

    package var callbackQueue: CallbackQueue = .main
    package var duplicateObserver: DuplicateObserver = .once
    package var callbackAfterRemoval: CallbackAfterRemoval = .dropped
    package var finishDeferred: FinishDeferred = .ignored
    package var ownedRepurchase: OwnedRepurchase = .purchased
    package var restoredOriginal: RestoredOriginal = .set
    package var restoreInParts: RestoreInParts = .together
    package var cancelledRestore: CancelledRestore = .failed
    package var secondRestore: SecondRestore = .rejected
    package var unheldRequest: UnheldRequest = .answered
    /// R38: whether a launch delivers what is still deferred.
    package var deferredRedelivery = true
    package var interruptionFailure: InterruptionFailure = .atOnce
    package var refundUpdate: RefundUpdate = .none
    package var otherDevices: OtherDevices = .silence
    package var usernamePersistence: UsernamePersistence = .always
    package var updatesAtLaunch: UpdatesAtLaunch = .unfinished
    package var updatesReplay: UpdatesReplay = .onceAProcess
    package var purchaseEcho: PurchaseEcho = .none
    /// S21: for how long `Transaction.unfinished` does not know of a purchase or of a finish.
    package var unfinishedLag = Span.zero
    package var finishReturns: FinishReturns = .atOnce
    package var statusAtStart: StatusAtStart = .silent
    /// S11: whether what is unfinished is emitted again when the app enters the foreground.
    package var updatesOnForeground = false
    package var concurrentPurchase: ConcurrentPurchase = .serial
    /// S82: whether `AppStore.sync` has what is unfinished emitted again.
    package var syncEmitsUnfinished = false
    package var refundAtLaunch: RefundAtLaunch = .silent
    package var entitlementsOffline: EntitlementsOffline = .cached
    package var syncOffline: SyncOffline = .userCancelled
    /// S90: a purchase by the payment queue, by `Transaction.updates`.
    package var queuePurchaseUpdates: OtherAPI = .silent
    /// S91: a purchase by `Product.purchase`, by the payment queue.
    package var purchaseOnQueue: OtherAPI = .silent
    /// S13: whether the replaced transaction of an upgrade is emitted.
    package var upgradeEmitsOld = false
    /// S23: whether the app's Info.plist asks for finished consumables in the history.
    package var consumableHistory = false

    package init() {}

    /// R59: what is left of a payment's user name once the store has seen it.
    func persistent(_ username: String?) -> String? {
        guard usernamePersistence == .uuidOnly, let username else { return username }
        return UUID(uuidString: username) == nil ? nil : username
    }
}
