// The queue of payment transactions.
// Call its methods on any thread.
// StoreKit calls observers on the device's main queue, or on the queue that the scenario chooses (R7).

public import Foundation
import Simulation

/// Receives changes on the payment queue. Only `updatedTransactions` is required.
///
/// On Linux an optional method is a protocol requirement with a default. StoreKit does not call a method that only a
/// subclass of the conforming class has. Implement it in the conforming class, and `override` it in the subclass.
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Transactions changed, or StoreKit delivered them again, in no defined order (R5, R8).
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Transactions were finished and have left the queue (R17).
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// A restore ended with an error. StoreKit may have delivered some restored transactions before (R28).
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// A restore ended. StoreKit has delivered every restored transaction (R28).
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// Never called: Apple no longer hosts content (R61).
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// The user wants to buy a promoted product on the App Store's own page (R43).
    /// True adds the payment. An app that returns false may add the same payment later. False by default.
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool
    /// The user now shops in another country: prices and products may differ (R51).
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
    /// Purchases were refunded or are no longer shared with the user. The receipt has changed already (R49).
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

extension SKPaymentTransactionObserver {
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}
    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {}
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}
    public func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        queue.connection.promotionsUnheard += 1
        return false
    }
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}
    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}

/// The queue of transactions that the App Store processes.
///
/// Its transactions belong to the store account and outlive the app (R1).
/// Every instance is a working queue of the device on which it was made.
open class SKPaymentQueue: NSObject, @unchecked Sendable {  // Guard: `connection`'s lock.
    let connection: Connection
    /// Changed on the lane, under the connection's lock. Weak (R2).
    @exclusivity(unchecked) private var observers: [WeakObserver] = []
    /// The observer, if there is exactly one. Read and changed on the lane.
    @exclusivity(unchecked) private(set) weak var soleObserver: (any SKPaymentTransactionObserver)?

    /// Removed observers that still receive callbacks under way at the removal, if the R9 knob says so.
    /// Changed on the lane, under the connection's lock.
    private var leaving: [Leaver] = []

    /// Guard: the connection's lock.
    private weak var heldDelegate: (any SKPaymentQueueDelegate)?

    private struct WeakObserver {
        weak var object: (any SKPaymentTransactionObserver)?
        let identity: ObjectIdentifier
    }

    private struct Leaver {
        let observer: WeakObserver
        /// Every event that was on its way has arrived; some may still wait for a callback to return.
        var isDue = false
    }

    /// Makes another queue of the device and app that the caller runs in.
    public override init() {
        if let making = Connection.making {
            connection = making
            super.init()
        } else {
            connection = .current(for: "SKPaymentQueue()")
            super.init()
            connection.adopt(self)
        }
    }

    /// The queue of the device that the caller runs on.
    /// Without a harness, the queue of the process-wide default device.
    open class func `default`() -> Self {
        guard let queue = Connection.current(for: "SKPaymentQueue.default()").defaultQueue as? Self else {
            preconditionFailure("the default queue is an SKPaymentQueue, not a \(self)")
        }
        return queue
    }

    /// Whether payments are allowed on this device. `add(_:)` does not check it (R12).
    open class func canMakePayments() -> Bool {
        Connection.current(for: "SKPaymentQueue.canMakePayments()").process.device.arePaymentsAllowed
    }

    /// The delegate that answers questions about payments and price sheets.
    /// It decides whether a payment continues in another country, and whether a price sheet is shown.
    /// Weak. Set it before you add the first observer (R51, R52).
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { connection.lock.withLock { heldDelegate } }
        set { connection.lock.withLock { heldDelegate = newValue } }
    }

    /// The country in which the user shops (R51).
    open var storefront: SKStorefront? { SKStorefront(connection.storefront) }

    // MARK: Observers

    /// The observers that are still alive (R2).
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        connection.lock.withLock { observers.compactMap(\.object) }
    }

    /// The unfinished transactions that StoreKit has delivered to this process; empty without an observer (R3).
    open var transactions: [SKPaymentTransaction] { connection.knownTransactions(of: self) }

    /// Adds an observer, without retaining it (R2). The first observer makes StoreKit deliver unfinished transactions
    /// (R4).
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let identity = ObjectIdentifier(observer)
        guard connection.isOnLane else {
            return connection.hop { [weak observer] _ in if let observer { self.add(observer) } }
        }
        guard connection.process.passes(.storeKitCall) else { return }
        let before = connection.lock.withLock {
            observers.removeAll { $0.object == nil }
            let before = observers.count { $0.identity == identity }
            observers.append(WeakObserver(object: observer, identity: identity))
            return before
        }
        soleObserver = observers.count == 1 && leaving.isEmpty ? observer : nil
        connection.observerAdded(times: before + 1)
    }

    /// Removes an observer and stops its callbacks (R9).
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        let identity = ObjectIdentifier(observer)
        guard connection.isOnLane else { return connection.hop { _ in self.remove(identity) } }
        remove(identity)
    }

    private func remove(_ identity: ObjectIdentifier) {
        guard connection.process.passes(.storeKitCall) else { return }
        let isLast = connection.lock.withLock {
            let had = !observers.isEmpty
            if connection.deliversAfterRemoval, let leaver = observers.first(where: { $0.identity == identity }) {
                leaving.append(Leaver(observer: leaver))
            }
            // Observers that have been deallocated are pruned as well.
            observers.removeAll { $0.identity == identity || $0.object == nil }
            return had && observers.isEmpty
        }
        soleObserver = observers.count == 1 && leaving.isEmpty ? observers[0].object : nil
        connection.observerRemoved(isLast: isLast)
        if leaving.isEmpty { return }
        // Runs after everything that the daemon has sent so far.
        connection.process.device.schedule { [weak self] in self?.noticeArrivals(of: identity) }
    }

    private func noticeArrivals(of identity: ObjectIdentifier) {
        connection.lock.withLock {
            if let place = leaving.firstIndex(where: { $0.observer.identity == identity && !$0.isDue }) {
                leaving[place].isDue = true
            }
        }
        connection.letLeaversGo()
    }

    /// No event waits for a callback to return any more.
    func letLeaversGo() {
        if leaving.isEmpty { return }
        connection.lock.withLock { leaving.removeAll(where: \.isDue) }
        soleObserver = observers.count == 1 && leaving.isEmpty ? observers[0].object : nil
    }

    /// The observers to call. The R6 knob decides for an observer that was added twice.
    func audience(_ rule: ClientRules.DuplicateObserver) -> [any SKPaymentTransactionObserver] {
        connection.lock.withLock {
            var told: Set<ObjectIdentifier> = []
            return (observers + leaving.map(\.observer)).compactMap { observer in
                if rule == .once, !told.insert(observer.identity).inserted { return nil }
                return observer.object
            }
        }
    }

    /// Whether an observer that is about to be called is still on the queue.
    func holds(_ observer: any SKPaymentTransactionObserver) -> Bool {
        connection.lock.withLock { observers.contains { $0.identity == ObjectIdentifier(observer) } }
    }

    var hasObservers: Bool { connection.lock.withLock { observers.contains { $0.object != nil } } }
    var observerCount: Int { connection.lock.withLock { observers.count { $0.object != nil } } }

    // MARK: Payments

    /// Adds a copy of the payment. Each call makes a new transaction (R10).
    /// Raises an exception for an empty product identifier or a quantity below one (R11).
    open func add(_ payment: SKPayment) {
        let value = payment.snapshot
        let isPromoted = payment.isPromoted
        guard connection.isOnLane else {
            let asked = TaskRequest.number
            return connection.hop { $0.add(value, isPromoted: isPromoted, asked: asked) }
        }
        connection.add(value, isPromoted: isPromoted)
    }

    /// Removes a transaction from the queue, asynchronously (R17). Does nothing if it is not on the queue (R19).
    /// Raises an exception if the transaction is `.purchasing` (R18).
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        guard connection.isOnLane else { return connection.hop { $0.finish(transaction) } }
        connection.finish(transaction)
    }

    /// Delivers a new `.restored` transaction for each finished purchase of a restorable product (R26, R27).
    /// Then StoreKit calls exactly one of the two end callbacks (R28).
    open func restoreCompletedTransactions() { restore(username: nil) }

    /// Restores purchases made with this user name (R31).
    open func restoreCompletedTransactions(withApplicationUsername username: String?) { restore(username: username) }

    private func restore(username: String?) {
        guard connection.isOnLane else { return connection.hop { $0.restore(username: username) } }
        connection.restore(username: username)
    }

    // MARK: Outside the app

    /// Shows the raised price of a subscription that awaits the user's consent (R52).
    open func showPriceConsentIfNeeded() {
        guard connection.isOnLane else { return connection.hop { $0.showPriceConsent() } }
        connection.showPriceConsent()
    }

    /// Shows the sheet on which the user redeems an offer code. The product arrives as any purchase does (R42).
    open func presentCodeRedemptionSheet() {
        guard connection.isOnLane else { return connection.hop { $0.presentCodeRedemption() } }
        connection.presentCodeRedemption()
    }

    // Apple no longer hosts content:
    // no transaction has downloads, and a download that client code makes belongs to none.

    /// Does nothing (R61).
    open func start(_ downloads: [SKDownload]) {}
    /// Does nothing (R61).
    open func pause(_ downloads: [SKDownload]) {}
    /// Does nothing (R61).
    open func resume(_ downloads: [SKDownload]) {}
    /// Does nothing (R61).
    open func cancel(_ downloads: [SKDownload]) {}
}
