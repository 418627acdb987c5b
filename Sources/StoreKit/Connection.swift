// StoreKit's state in one app process: its payment queue and its requests.
// Guard: changed on the device's lane only. State that other threads may read is changed under `lock`;
// the lane itself, being the only writer, reads it without.

import Foundation
import Simulation

/// One app process's side of the boundary to the payment daemon. It ends with the process.
final class Connection: Receiver, @unchecked Sendable {
    let process: AppProcess
    let lock = NSLock()

    // Guarded by `lock`.
    @exclusivity(unchecked) private var known: [SKPaymentTransaction] = []
    /// Queues that client code made itself.
    @exclusivity(unchecked) private var otherQueues: [WeakQueue] = []
    @exclusivity(unchecked) private var madeDefaultQueue: SKPaymentQueue?
    private var madePromotionController: SKProductStorePromotionController?

    /// The storefront, if it changed since the launch.
    @exclusivity(unchecked) private var changedStorefront: StorefrontValue?

    /// Observers that left the latest question about a promoted purchase to the default (R43). On the lane.
    @exclusivity(unchecked) var promotionsUnheard = 0

    /// Whether the connection has told the daemon that it observes.
    private var observes = false
    private var requests = StartedRequests<SKProductsRequest>()
    private var refreshes = StartedRequests<SKReceiptRefreshRequest>()
    @exclusivity(unchecked) var callbacks = 0
    /// Whether a callback is running. Events that arrive meanwhile are in `waiting`.
    @exclusivity(unchecked) var isCallingBack = false
    /// The observer being called, if there are several.
    @exclusivity(unchecked) weak var calledObserver: (any SKPaymentTransactionObserver)?
    @exclusivity(unchecked) var waiting: [DaemonEvent] = []
    /// Whether waiting events are being handled in turn: a callback that returns leaves the rest to that loop.
    @exclusivity(unchecked) var handlesWaiting = false
    /// Observers that were removed may be forgotten once no callback is running.
    @exclusivity(unchecked) var leaversMayGo = false

    private struct WeakQueue { weak var queue: SKPaymentQueue? }

    private init(process: AppProcess) {
        self.process = process
        // Spread over the users: the first callback of a launch is hardly ever about a purchase.
        callbacks = process.device.user % Self.callbacksPerSample
    }

    /// The connection of the process that the caller runs in.
    static var current: Connection { current(for: "StoreKit") }

    /// - Parameter call: the name of the caller, for a report that the caller belongs to no device.
    static func current(for call: StaticString) -> Connection {
        let process = CurrentProcess.found(for: call)
        let receiver = process.receiver(of: .paymentQueue) { Connection(process: process) }
        guard let connection = receiver as? Connection else {
            preconditionFailure("another receiver took the payment queue's place")
        }
        return connection
    }

    /// Whether the caller runs on the device's main queue, as it should.
    var isOnLane: Bool { process.device.lane.isCurrent }

    /// The connection whose default queue or controller is being made.
    @TaskLocal static var making: Connection?

    /// Runs `body` on the device's lane for a caller on another thread. Does nothing for a process that has ended.
    func hop(_ body: @escaping (Connection) -> Void) {
        guard process.isAlive else { return }
        // The client must not change an object meanwhile that it passes from a queue of its own.
        let transfer = UnsafeTransfer(body)
        process.device.performFromOutside(process) { transfer.value(self) }
    }

    // MARK: Queues and observers

    var defaultQueue: SKPaymentQueue {
        lock.lock()
        defer { lock.unlock() }
        if let madeDefaultQueue { return madeDefaultQueue }
        let queue = Self.$making.withValue(self) { SKPaymentQueue() }
        // Queue and connection retain each other until the process ends; after that the cycle would leak.
        if process.isAlive { madeDefaultQueue = queue } else { LastingObjects.keep(queue) }
        return queue
    }

    var promotionController: SKProductStorePromotionController {
        lock.lock()
        defer { lock.unlock() }
        if let madePromotionController { return madePromotionController }
        let controller = Self.$making.withValue(self) { SKProductStorePromotionController() }
        if process.isAlive { madePromotionController = controller } else { LastingObjects.keep(controller) }
        return controller
    }

    func adopt(_ queue: SKPaymentQueue) {
        lock.withLock {
            otherQueues.removeAll { $0.queue == nil }
            otherQueues.append(WeakQueue(queue: queue))
        }
    }

    func observerAdded(times: Int) {
        process.willObserve()
        process.record(.observerAdded(times: times))
        if observes { return }
        observes = true
        process.request(.listen(.paymentQueue))
    }

    func observerRemoved(isLast: Bool) {
        process.record(.observerRemoved(left: observerCount))
        if isLast, observes, observerCount == 0 { stopObserving() }
    }

    private func stopObserving() {
        observes = false
        process.request(.unlisten(.paymentQueue))
    }

    /// How many observers all queues of the process have.
    var observerCount: Int { liveQueues.reduce(0) { $0 + $1.observerCount } }

    var liveQueues: [SKPaymentQueue] {
        lock.withLock { (madeDefaultQueue.map { [$0] } ?? []) + otherQueues.compactMap(\.queue) }
    }

    var soleObserver: (SKPaymentQueue, any SKPaymentTransactionObserver)? {
        let onlyQueue = lock.withLock { otherQueues.isEmpty ? madeDefaultQueue : nil }
        guard let onlyQueue, let observer = onlyQueue.soleObserver else { return nil }
        return (onlyQueue, observer)
    }

    func knownTransactions(of queue: SKPaymentQueue) -> [SKPaymentTransaction] {
        guard queue.hasObservers else { return [] }
        return lock.withLock { known }
    }

    func processEnded() {
        let (queue, controller) = lock.withLock {
            otherQueues = []
            known = []
            return (madeDefaultQueue.take(), madePromotionController.take())
        }
        if let queue { LastingObjects.keepIfNeeded(queue) }
        if let controller { LastingObjects.keepIfNeeded(controller) }
        requests.removeAll()
        refreshes.removeAll()
        waiting = []
    }

    // MARK: Buying and restoring

    /// - Parameters:
    ///   - isPromoted: whether the payment came from the store through a promotion.
    ///   - asked: the user's request that the calling task works for, if it calls from elsewhere.
    func add(_ payment: PaymentValue, isPromoted: Bool, asked: Int32? = nil) {
        if payment.productIdentifier.isEmpty { return process.raise(.emptyProductIdentifier) }
        if payment.quantity < 1 { return process.raise(.quantityBelowOne) }
        guard process.passes(.storeKitCall) else { return }
        let token = process.device.takePaymentToken()
        process.record(
            .paymentAdded(
                .init(
                    Int32(token.number), product: process.device.edition.catalog.index(of: payment.productIdentifier),
                    quantity: Int32(clamping: payment.quantity), asked: isPromoted ? nil : asked ?? requestAtWork,
                    isPromoted: isPromoted)))
        process.request(.add(payment, token: token))
    }

    /// The user's request in whose call, or for which in a task, client code runs.
    private var requestAtWork: Int32? { process.requestInCall ?? TaskRequest.number }

    func restore(username: String?) {
        guard process.passes(.storeKitCall) else { return }
        // Goods held by now do not come from the restore.
        process.awaitAllGoods()
        process.record(.restoreCalled)
        process.request(.restore(applicationUsername: username))
    }

    // MARK: Finishing

    func finish(_ transaction: SKPaymentTransaction) {
        let value = transaction.value
        guard let value, known.contains(where: { $0 === transaction }) else {
            guard process.passes(.finish) else { return }
            // Finished already: a second finish does nothing (R19). This process may not finish any other transaction.
            if !transaction.isFinishing { process.record(.foreignFinish) }
            return
        }
        if value.state == .purchasing {
            recordFinish(value)
            return process.raise(.finishedPurchasing)
        }
        guard !transaction.isFinishing, process.passes(.finish) else { return }
        transaction.isFinishing = true
        if value.state == .purchased { process.lookForGoods(of: value.product) }
        recordFinish(value)
        if value.state == .purchased { process.stopsWaiting(for: value.product) }
        process.request(.finish(handle: value.handle, state: value.state))
    }

    private func recordFinish(_ value: TransactionValue) {
        let observer = calledObserver.map { String(describing: type(of: $0)) }
        process.record(.finishCalled(value.note.by(observer.flatMap { process.device.noteObserver($0) })))
    }

    // MARK: Products

    func start(_ request: SKProductsRequest, identifiers: [String], asked: Int32? = nil) {
        guard process.passes(.storeKitCall) else { return }
        let number = process.takeRequestNumber()
        requests.add(request, number: number, isKept: isKept())
        process.record(.productsStarted(request: Int32(number), asked: asked ?? requestAtWork))
        process.request(.products(request: number, identifiers: identifiers))
    }

    /// R51. Any thread.
    var storefront: StorefrontValue {
        // A test session moves the standalone device at once; the notice of it arrives later.
        if process.device.isStandalone { return process.device.edition.catalog.storefront }
        return lock.withLock { changedStorefront } ?? process.storefrontAtLaunch
            ?? process.device.edition.catalog.storefront
    }

    /// R56.
    func refreshReceipt(for request: SKReceiptRefreshRequest) {
        guard process.passes(.storeKitCall) else { return }
        let number = process.takeRequestNumber()
        refreshes.add(request, number: number, isKept: isKept())
        process.record(.receiptRefreshStarted(request: Int32(number)))
        process.request(.refreshReceipt(request: number))
    }

    /// R53: whether a request is answered that the client does not retain.
    private func isKept() -> Bool { process.device.keeps(process.device.rules.unheldRequest) }

    /// R53. Any thread.
    var freesUnheldRequests: Bool { process.device.rules.unheldRequest == .freed }

    // MARK: Events from the daemon

    func receive(_ event: DaemonEvent) {
        // Callbacks keep their order, on whichever queue each is made, and find transactions in the state they report.
        // An event that arrives while a callback runs, or waits for the main queue, waits.
        if isCallingBack { return waiting.append(event) }
        handle(event)
    }

    func handle(_ event: DaemonEvent) {
        switch event {
        case .updated(let batch):
            // The last observer may have been deallocated without being removed (R2). Then the app has no observer,
            // and the next observer that it adds receives the events that this one missed.
            if soleObserver == nil, observerCount == 0, audience.isEmpty { return stopObserving() }
            deliver(batch)
        case .removed(let handles): deliverRemoval(handles)
        case .revoked(let revocations):
            for revocation in revocations {
                process.record(.revocationDelivered(revocation.transaction, revocation.product))
            }
            let catalog = process.device.catalog
            tell(.revoked(productIdentifiers: revocations.map { catalog[$0.product].identifier }))
        case .promotedPayment(let value):
            let catalog = process.device.catalog
            guard let index = catalog.index(of: value.productIdentifier) else { return }
            let product = SKProduct(product: catalog[index], storefront: storefront, locale: catalog.locale)
            let payment = SKPayment(value: value)
            payment.isPromoted = true
            offer(payment, for: product)
        case .storefrontChanged(let storefront):
            lock.withLock { changedStorefront = storefront }
            tell(.storefrontChanged)
        case .mustAskToContinue(let handle, let storefront):
            guard let transaction = known.last(where: { $0.handle == handle }) else { return }
            process.request(
                .mayContinue(handle: handle, mayContinue(transaction, in: SKStorefront(storefront))))
        case .priceConsentNeeded:
            if mayShowPriceConsent() { process.request(.showPriceConsent) }
        case .receiptRefreshed(let number):
            process.record(
                .receiptRefreshed(request: Int32(number), writtenAt: process.device.receiptWrittenAt))
            guard let request = refreshes.take(number)?.request else { return }
            call(.requestDelegate) { request.finish() }
        case .receiptRefreshFailed(let number, let failure):
            process.record(.receiptRefreshFailed(request: Int32(number), failure))
            guard let request = refreshes.take(number)?.request else { return }
            call(.requestDelegate) { request.fail(failure.error) }
        case .restoreFinished:
            process.record(.restoreFinished)
            tell(.restoreFinished)
        case .restoreFailed(let failure):
            process.record(.restoreFailed(failure))
            let error = failure.error
            tell(.restoreFailed(error))
        case .products(let number, let found, let invalid, let edition): answer(number, found, invalid, of: edition)
        case .productsFailed(let number, let failure):
            guard let waiting = requests.take(number) else { return }
            let isHeard = waiting.request != nil
            process.record(.productsFailed(request: Int32(number), failure, isHeard: isHeard))
            guard let request = waiting.request else { return }
            call(.requestDelegate) { request.fail(failure.error) }
        // Its receiver has it.
        case .storeKit2: break
        }
    }

    /// The store has answered a products request.
    private func answer(_ number: Int, _ found: [ProductIndex], _ invalid: [String], of edition: CatalogEdition) {
        guard let waiting = requests.take(number) else { return }
        // Recorded even if the app has released its request (R53): then the app itself caused the silence.
        let isHeard = waiting.request != nil
        process.record(
            .productsDelivered(
                .init(Int32(number), found: Int32(found.count), unsold: Int32(invalid.count), isHeard: isHeard)))
        guard let request = waiting.request else { return }
        let catalog = edition.catalog
        // In prices of the country in which the edition is sold.
        let storefront = process.device.isStandalone ? catalog.storefront : storefront
        let products = found.map { SKProduct(product: catalog[$0], storefront: storefront, locale: catalog.locale) }
        let response = SKProductsResponse(products: products, invalidProductIdentifiers: invalid)
        call(.requestDelegate) { request.succeed(response) }
    }

    private func deliver(_ batch: [TransactionValue]) {
        let objects = batch.map(object(for:))
        for value in batch {
            process.record(.delivered(value.note))
            if let failure = value.failure { process.record(.failureDelivered(payment: value.note.payment, failure)) }
        }
        tell(.updated(objects))
    }

    /// The one object that represents a transaction in this process (R15).
    private func object(for value: TransactionValue) -> SKPaymentTransaction {
        // The newest transaction is the likeliest to change.
        if let object = known.last(where: { $0.handle == value.handle }) {
            object.update(value)
            return object
        }
        let object = SKPaymentTransaction(value: value, calendar: process.device.lane.calendar)
        lock.withLock { known.append(object) }
        return object
    }

    private func deliverRemoval(_ handles: [Int]) {
        let objects = lock.withLock {
            var removed: [SKPaymentTransaction] = []
            known.removeAll { object in
                guard handles.contains(object.handle) else { return false }
                removed.append(object)
                return true
            }
            return removed
        }
        for object in objects {
            guard let value = object.value else { continue }
            object.isFinishing = true
            process.record(.removalDelivered(value.note))
        }
        if objects.isEmpty { return }
        tell(.removed(objects))
    }
}
