// A user's books and events written by hand, step by step, for the audit to judge.
// A value; any thread.

import Judgement
import RunSupport

@testable import Simulation

/// Each call writes one thing down, a millisecond after the last.
struct Story {
    static let lives = 0
    static let powers = 1
    static let maps = 2

    var statement = AccountStatement()
    var events: [EventRecord] = []
    var held = [0, 0, 0]
    var goodsPerPurchase = [1, 1, 1]
    var usesStoreKit2 = false
    var boughtElsewhere: Set<ProductIndex> = []
    var ownedElsewhere: Set<ProductIndex> = []
    var withdrawn: [ProductIndex: Instant] = [:]
    /// What the writes are about; empty where nobody asks.
    var writtenPlaces: [WrittenPlace] = []
    var names = EventNames()
    /// What the client has printed, and died of.
    var log = ClientLog()
    private(set) var process = 0
    private var clock: Int64 = 0
    private var isFrozen = false
    private var asked: [Int32: ProductIndex] = [:]
    private var nextID: Int64 = 100
    private var nextHandle: Int32 = 1
    private var nextPayment: Int32 = 1
    private var nextRequest: Int32 = 1
    /// Purchases that were asked for and have no answer.
    private var openPurchases = 0

    /// One purchase as the different sides know it.
    struct Purchase {
        let id: TransactionID
        let handle: Int32
        /// 0 for what no payment led to.
        let payment: Int32
        let product: ProductIndex
        let quantity: Int
        var state = TransactionState.purchased

        func note(_ state: TransactionState) -> DeviceEvent.TransactionNote {
            let isCompleted = state == .purchased || state == .restored
            return DeviceEvent.TransactionNote(
                isCompleted ? id : nil, handle: handle, payment: payment == 0 ? nil : payment, product: product,
                state: state)
        }
    }

    init() {}

    init(_ write: (inout Story) -> Void) { write(&self) }

    var findings: AuditFindings {
        var auditor = Auditor()
        return auditor.audit(input)
    }

    var input: AuditInput {
        var input = AuditInput(
            catalog: Shop.catalog, statement: statement, events: events, held: held,
            goodsPerPurchase: goodsPerPurchase, boughtElsewhere: boughtElsewhere, ownedElsewhere: ownedElsewhere)
        input.withdrawn = withdrawn
        input.usesStoreKit2 = usesStoreKit2
        (input.writtenPlaces, input.names) = (writtenPlaces, names)
        input.log = log
        return input
    }

    private mutating func tick() -> Instant {
        if !isFrozen { clock += 1_000_000 }
        return now
    }

    var now: Instant { Instant(nanoseconds: clock) }

    /// All of it happens at the same time, in this order.
    mutating func inOneInstant(_ write: (inout Story) -> Void) {
        _ = tick()
        isFrozen = true
        write(&self)
        isFrozen = false
    }

    mutating func note(_ event: DeviceEvent, process: Int? = nil) {
        events.append(EventRecord(at: tick(), process: process ?? self.process, event))
    }

    /// Nothing happens for so long.
    mutating func pass(_ time: Span) { clock += time.nanoseconds }

    // MARK: The process

    mutating func launch() {
        process += 1
        note(.launched)
        note(.observerAdded(times: 1))
        note(.launchReturned(observers: 1))
    }

    mutating func terminate() {
        note(.willTerminate)
        note(.observerRemoved(left: 0))
        note(.terminated(underWay: 0))
    }

    mutating func crash() { note(.crashed(before: nil)) }

    mutating func reinstall() {
        terminate()
        for (product, count) in held.enumerated() { note(.goods(product, count: count)) }
        note(.reinstalled)
        held = [0, 0, 0]
    }

    /// The final relaunch.
    mutating func end() {
        terminate()
        note(.settlingBegan)
        launch()
        note(.settled(.init()))
    }

    // MARK: The user

    /// The shop is opened, and StoreKit tells of everything that is sold.
    mutating func seeProducts() {
        let request = ask(.fetch)
        note(.productsStarted(request: request, asked: nil))
        note(.productsDelivered(.init(request, found: Int32(held.count))))
        answer(.fetch, request, .fetched, shown: Int32(held.count))
    }

    @discardableResult
    mutating func ask(_ kind: RequestKind, _ product: ProductIndex? = nil, quantity: Int = 1) -> Int32 {
        defer { nextRequest += 1 }
        if kind == .purchase { openPurchases += 1 }
        note(.asked(.init(kind, nextRequest, product: product, quantity: Int32(quantity), plannedAt: .start)))
        asked[nextRequest] = product
        return nextRequest
    }

    mutating func answer(
        _ kind: RequestKind, _ request: Int32, _ code: AnswerCode, shown: Int32 = 0, unsold: Int32 = 0
    ) {
        if kind == .purchase { openPurchases -= 1 }
        note(.answered(.init(code, to: kind, request, product: asked[request], count: shown, unsold: unsold)))
    }

    mutating func use(_ product: ProductIndex) {
        held[product] -= 1
        note(.stored(count: 1))
        note(.used(product, count: 1))
    }

    // MARK: The store

    /// The app's payment, as far as the moment it is purchasing. Where nobody asked it comes of a promotion, unless
    /// it is the app's own idea.
    ///
    /// - Parameter asked: the request that the calling task works for.
    mutating func pay(
        _ product: ProductIndex, quantity: Int = 1, isOwnIdea: Bool = false, for asked: Int32? = nil
    ) -> Purchase {
        defer {
            nextPayment += 1
            nextHandle += 1
            nextID += 1
        }
        let isPromoted = openPurchases == 0 && !isOwnIdea
        if isPromoted {
            note(.promotionTapped(product))
            note(.promotionAsked(product, .added))
        }
        note(
            .paymentAdded(
                .init(
                    nextPayment, product: product, quantity: Int32(quantity), asked: asked, isPromoted: isPromoted)))
        let purchase = Purchase(
            id: TransactionID(number: nextID), handle: nextHandle, payment: nextPayment, product: product,
            quantity: quantity)
        note(
            .delivered(
                .init(nil, handle: purchase.handle, payment: purchase.payment, product: product, state: .purchasing)))
        return purchase
    }

    /// The store charges for it, or gives it again for free.
    mutating func complete(_ purchase: Purchase, isCharged: Bool = true) {
        let now = tick()
        statement.transactions.append(
            StoreTransaction(
                id: purchase.id, original: nil, originalDate: nil, product: purchase.product,
                quantity: purchase.quantity, at: now, origin: .payment,
                payment: PaymentToken(number: Int(purchase.payment)),
                applicationUsername: nil, isCharged: isCharged))
        if isCharged {
            statement.charges.append(
                Charge(at: now, transaction: purchase.id, product: purchase.product, quantity: purchase.quantity))
        }
        attempt(purchase, isCharged ? .charged(purchase.id) : .repeated(purchase.id))
    }

    mutating func attempt(_ purchase: Purchase, _ outcome: PurchaseAttempt.Outcome) {
        let now = tick()
        statement.attempts.append(
            PurchaseAttempt(
                payment: PaymentToken(number: Int(purchase.payment)), product: purchase.product,
                quantity: purchase.quantity, receivedAt: now, arrivedAt: now, outcome: outcome))
    }

    /// Bought before the run.
    mutating func own(_ product: ProductIndex, isFinished: Bool = true) -> Purchase {
        defer { nextID += 1 }
        let id = TransactionID(number: nextID)
        statement.charges.append(Charge(at: .start, transaction: id, product: product, quantity: 1))
        statement.transactions.append(
            StoreTransaction(
                id: id, original: nil, originalDate: nil, product: product, quantity: 1, at: .start, origin: .beforeRun,
                payment: nil,
                applicationUsername: nil, isCharged: true,
                finishedAt: isFinished ? StoreTransaction.finishedBeforeRun : nil))
        return arrival(id, product)
    }

    /// What the store hands out by itself: a handle of its own, no payment.
    mutating func arrival(_ id: TransactionID, _ product: ProductIndex) -> Purchase {
        defer { nextHandle += 1 }
        return Purchase(id: id, handle: nextHandle, payment: 0, product: product, quantity: 1)
    }

    // MARK: StoreKit and the app

    mutating func tell(_ purchase: Purchase, _ state: TransactionState = .purchased) {
        if state == .purchased { note(.goods(purchase.product, count: held[purchase.product])) }
        note(.delivered(purchase.note(state)))
    }

    mutating func fail(_ purchase: Purchase, _ code: StoreErrorCode) {
        attempt(purchase, code == .paymentCancelled ? .cancelled : .refused(.store(code)))
        tell(purchase, .failed)
        note(.failureDelivered(payment: purchase.payment, .store(code)))
        finish(purchase, .failed)
    }

    /// A receipt on its way to the validator.
    mutating func postToValidator() -> DeviceEvent.PostNote {
        let address = WebAddress("POST", url: SimulatedAppStore.validatorURL, isValidator: true)
        return DeviceEvent.PostNote(effect: 1, to: names.addresses.add(address), isForValidator: true)
    }

    mutating func deliver(_ product: ProductIndex, _ count: Int = 1) {
        held[product] += count
        note(.stored(count: 1))
        note(.goods(product, count: held[product]))
    }

    /// The app holds so many, and has written nothing: they are in memory only.
    mutating func seeGoods(_ product: ProductIndex, _ count: Int) {
        held[product] = count
        note(.goods(product, count: count))
    }

    mutating func finish(_ purchase: Purchase, _ state: TransactionState = .purchased) {
        note(.finishCalled(purchase.note(state)))
        guard state == .purchased, let place = statement.transactions.firstIndex(where: { $0.id == purchase.id })
        else { return }
        statement.transactions[place].finishedAt = tick()
    }

    /// The store takes it back, and the app is told.
    mutating func revoke(_ purchase: Purchase) {
        guard let place = statement.transactions.firstIndex(where: { $0.id == purchase.id }) else { return }
        statement.transactions[place].revokedAt = tick()
        note(.revocationDelivered(purchase.id, purchase.product))
    }

    /// From the charge to the finish, as it should be.
    mutating func bring(_ purchase: Purchase, _ count: Int = 1) {
        complete(purchase)
        tell(purchase)
        deliver(purchase.product, count)
        finish(purchase)
    }

    /// A purchase from the wish to the answer, as it should be.
    @discardableResult
    mutating func buy(_ product: ProductIndex, quantity: Int = 1) -> Purchase {
        let request = ask(.purchase, product, quantity: quantity)
        let purchase = pay(product, quantity: quantity)
        bring(purchase, product == Self.maps ? 1 - held[product] : quantity * goodsPerPurchase[product])
        answer(.purchase, request, .purchased)
        return purchase
    }

    /// A restore of what was owned, as it should be; `credits` are the goods that it brings.
    mutating func restore(_ owned: [Purchase] = [], credits: [(product: ProductIndex, count: Int)] = []) {
        let request = ask(.restore)
        note(.restoreCalled)
        for product in held.indices { note(.goods(product, count: held[product])) }
        for purchase in owned {
            let restored = arrival(TransactionID(number: purchase.id.number + 1_000), purchase.product)
            tell(restored, .restored)
            for credit in credits where credit.product == purchase.product { deliver(credit.product, credit.count) }
            finish(restored, .restored)
        }
        for credit in credits where !owned.contains(where: { $0.product == credit.product }) {
            deliver(credit.product, credit.count)
        }
        note(.restoreFinished)
        answer(.restore, request, owned.isEmpty ? .nothingToRestore : .restored)
    }
}

/// The rules that a story breaks.
func rules(_ write: (inout Story) -> Void) -> [AuditRule] { Story(write).findings.violations.map(\.rule) }
