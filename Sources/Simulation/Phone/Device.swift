// One phone: storage, link, payment daemon, and at most one process of the app.
// Guard: confined to its lane.

internal import CRuntime
internal import Dispatch
internal import Foundation
internal import Synchronization

package final class Device: @unchecked Sendable {
    // Where `@exclusivity(unchecked)` stands, the lane already makes access exclusive.
    package let lane: Lane
    private let terms: DeviceTerms
    package let user: Int
    /// Which of the user's devices, counted from 1.
    package let number: Int
    /// The account that is signed in, by its number at the store.
    @exclusivity(unchecked) package private(set) var account: Int
    package let storage: DeviceStorage
    let home = DeviceHome()
    package var promotions = StorePromotions()
    @exclusivity(unchecked) private(set) var app: (any AppPort)?
    @exclusivity(unchecked) private(set) var endedApp: (any AppPort)?
    @exclusivity(unchecked) package internal(set) var events: [EventRecord] = []
    /// What each `stored` and `writesLost` of the events is about, in their order: as many as it counts, of many the first few.
    @exclusivity(unchecked) package internal(set) var writtenPlaces: [WrittenPlace] = []
    @exclusivity(unchecked) package internal(set) var names = EventNames()
    @exclusivity(unchecked) package internal(set) var counts = DeviceCounts()
    /// Real nanoseconds that observers took, sampled.
    package var callbackTimes: [Int64] = []
    /// When requests ended in an error, in the order of time.
    package var requestFailures: [Instant] = []
    /// What clients have printed, under the virtual clock.
    @exclusivity(unchecked) package var log = ClientLog()
    /// Optional methods that StoreKit was to call, and that only a subclass of the app's conforming class has.
    @exclusivity(unchecked) package var missedMethods: OptionalMethods = []

    /// Whether payments are allowed on this device at all (R12).
    package let arePaymentsAllowed: Bool
    /// No harness: what raises on Apple's systems traps here.
    package var isStandalone = false
    /// Events and messages under way for this device.
    @exclusivity(unchecked) var outstanding = 0
    /// Of these, what the app itself has begun or is about to be told.
    @exclusivity(unchecked) var appWork = 0
    /// Of these, the app's own turns and timers under the virtual clock; nil before the first.
    @exclusivity(unchecked) var pace: OwnPace?
    /// Of these, what `scheduleBlock` has scheduled.
    @exclusivity(unchecked) var pendingBlocks = 0
    /// The same of what client code does, or asks for, on queues of its own. Any thread.
    let outsideWork = Atomic<Int>(0)
    let isQuietAwaited = Atomic<Bool>(false)
    /// Calls from elsewhere that wait for the lane. Guard: `outsideLock`.
    @exclusivity(unchecked) var outsideCalls = OutsideCallList()
    let outsideCallCount = Atomic<Int>(0)
    @exclusivity(unchecked) var isCatchingUp = false
    /// Whether client code is asked for its goods: what it reads then is what is there.
    @exclusivity(unchecked) var isReadingGoods = false

    /// An app of this device was ended because it did more than a device could.
    @exclusivity(unchecked) package private(set) var isOverworked = false

    /// Called when the process has crashed.
    package var onCrash: (() -> Void)?
    /// Whether client code has waited in the middle of an event.
    @exclusivity(unchecked) var hasWaited = false
    /// Called in the middle of an event when client code waits for ever.
    package var onHang: ((HungClient) -> Never)?
    /// Called when client code begins to wait in the middle of an event.
    package var onWaiting: (() -> Void)?

    let link: Link
    let daemon = PaymentDaemon()
    let conditions: AppConditions
    /// In nanoseconds of real time.
    var memoryLimit: Int { conditions.memoryLimit }
    var mainQueueLimit: Int64 { conditions.mainQueueLimit.nanoseconds }
    private let crashFaults: [CrashFault]
    /// Where mishaps are tried one by one.
    package let script: MishapScript?
    @exclusivity(unchecked) private var crashStream: RandomStream
    /// What client code draws.
    @exclusivity(unchecked) var clientChance: RandomStream
    var launches = 0
    /// How often the app has been installed.
    let installations = Atomic<Int>(1)
    /// Client code has ended the latest launch by itself.
    @exclusivity(unchecked) package internal(set) var hasDied = false
    /// The app that was deleted has left something in the keychain, and the new one has not come up yet.
    @exclusivity(unchecked) var leftSecrets = false
    @exclusivity(unchecked) private var nextPayment: Int
    var flush: Ticket?
    /// Where the person shops as far as the device knows; nil: where the catalog is sold.
    @exclusivity(unchecked) package internal(set) var storefront: StorefrontValue?
    /// R7: one for all of the device's processes, so that callbacks keep their order.
    private(set) lazy var callbackPlace: WallLane.Place =
        if let mailbox = (lane as? WallLane)?.makeMailbox() {
            .mailbox(mailbox)
        } else {
            .queue(DispatchQueue(label: "stampede.callbacks", target: .global()))
        }
    /// When the store wrote the receipt that is here, in nanoseconds; negative: there is none.
    let receiptDate = Atomic<Int64>(-1)
    /// Whether the app has opened the receipt's file, whose dates are to the second.
    let opensReceiptFile = Atomic<Bool>(false)
    /// Under the wall clock the receipt itself, guarded by the storage's lock: the store's books are on another lane.
    @exclusivity(unchecked) var receiptCopy: Receipt?
    /// Both for the account that is not signed in.
    var otherReceipt: (date: Int64, copy: Receipt?) = (-1, nil)
    @exclusivity(unchecked) var isSettling = false
    @exclusivity(unchecked) var onQuiet: (() -> Void)?

    package init(
        lane: Lane, store: SimulatedAppStore, user: Int, number: Int = 1, link: LinkConditions, app: AppConditions,
        crashFaults: [CrashFault],
        seed: UInt64, arePaymentsAllowed: Bool = true, delivery: DeliveryFaults = DeliveryFaults(),
        script: MishapScript? = nil
    ) {
        self.script = script
        self.arePaymentsAllowed = arePaymentsAllowed
        self.lane = lane
        terms = store.terms
        self.user = user
        conditions = app
        self.crashFaults = crashFaults
        self.number = number
        account = user
        nextPayment = PaymentToken.first(of: number)
        let stream = Self.streamNumber(user: user, device: number)
        crashStream = RandomStream(seed: seed, user: stream, purpose: .crash)
        clientChance = RandomStream(seed: seed, user: stream, purpose: .client)
        storage = DeviceStorage(isShared: lane is WallLane)
        self.link = Link(store: store, user: user, conditions: link, seed: seed, stream: stream)
        self.link.attach(to: self)
        daemon.attach(to: self, delivery: Delivery(delivery, seed: seed, user: stream))
        if let queue = (lane as? WallLane)?.queue { QueueOwner.adopt(queue, as: self) }
        if hearsNews { listenForNews(of: store) }
    }

    /// What this phone decides by itself. Any thread.
    package var rules: ClientRules { terms.rules }
    /// What the app is called, and its versions. Any thread.
    package var appIdentity: AppIdentity { terms.app }
    /// Whether the store may have something for the device that no request asked for.
    package var hearsNews: Bool { terms.hearsNews }
    /// What is sold now. Any thread.
    package var edition: CatalogEdition { terms.editions.current }
    package var catalog: Catalog { edition.catalog }

    /// Each device has chance of its own; a user's first the one it would have alone.
    static func streamNumber(user: Int, device: Int) -> Int { user + (device - 1) << 40 }

    // MARK: Events

    /// Schedules work of this device; it counts as outstanding until it has run.
    @discardableResult
    package func schedule(
        after delay: Span = .zero, from source: EventSource = .harness, _ body: @escaping () -> Void
    ) -> Ticket {
        outstanding += 1
        return lane.schedule(after: delay, from: source) { [self] in
            outstanding -= 1
            body()
            checkQuiet()
        }
    }

    /// Schedules a block of the app's own.
    package func scheduleBlock(
        after delay: Span = .zero, from source: EventSource = .harness, _ body: @escaping () -> Void
    ) {
        appWork += 1
        pendingBlocks += 1
        schedule(after: delay, from: source) { [self] in
            appWork -= 1
            pendingBlocks -= 1
            body()
            ranOwnWork()
        }
    }

    /// Cancels what `schedule` scheduled and that has not run yet.
    package func cancel(_ ticket: Ticket) {
        outstanding -= 1
        lane.cancel(ticket)
    }

    /// Something that the app itself has begun, or is about to be told, is under way.
    func beginsAppWork() {
        outstanding += 1
        appWork += 1
    }

    func endsAppWork() {
        outstanding -= 1
        appWork -= 1
    }

    // The two commonest events do by hand what `schedule` does, and spare a closure each.

    /// - Parameter apis: whose receivers hear of it.
    func post(_ event: DaemonEvent, to app: any AppPort, for apis: PurchaseAPIs = .paymentQueue) {
        outstanding += 1
        appWork += 1
        lane.schedule(from: .daemon(of: number)) { [self] in
            outstanding -= 1
            appWork -= 1
            app.receive(event, for: apis)
            checkQuiet()
        }
    }

    func request(_ request: DaemonRequest, from app: any AppPort) {
        outstanding += 1
        appWork += 1
        lane.schedule(from: .app(of: number)) { [self] in
            outstanding -= 1
            appWork -= 1
            daemon.handle(request, from: app)
            checkQuiet()
        }
    }

    package func takePaymentToken() -> PaymentToken {
        defer { nextPayment += 1 }
        return PaymentToken(number: nextPayment)
    }

    // MARK: The life of a process

    /// Counts a launch that begins.
    ///
    /// - Returns: its number, and before which of its effects it crashes, if that is known beforehand.
    func beginLaunch() -> (number: Int, crashEffect: Int?) {
        precondition(app == nil, "user \(user) launches the app while it runs")
        launches += 1
        hasDied = false
        var crashEffect: Int?
        for fault in crashFaults {
            guard case .effect(let number) = fault.moment, !isSettling else { continue }
            if crashStream.hits(fault.share) { crashEffect = number }
        }
        return (launches, crashEffect)
    }

    func run(_ app: any AppPort) {
        letGoOfEnded()
        self.app = app
        record(.launched, of: app)
    }

    /// The system ends the app in an orderly way; the caller has told the client.
    package func terminate() {
        guard let app else { return }
        storage.flush()
        app.noticeDurableWrite()
        record(.terminated(underWay: app.leftUndone ?? underWayForApp), of: app)
        end(app)
    }

    /// The app did more than a device could, and the system ends it. What the person had in mind ends with it.
    func overworked() {
        isOverworked = true
        counts.exceptions += 1
        crash()
    }

    /// The app dies here and now.
    ///
    /// - Parameter effect: what does not come about any more; nil: nothing was about to.
    package func crash(before effect: MissedEffect? = nil) {
        guard let app else { return }
        counts.crashes += 1
        loseUnflushed(app)
        record(.crashed(before: effect), of: app)
        end(app)
        onCrash?()
    }

    private func end(_ app: any AppPort) {
        daemon.processEnded()
        if let flush { cancel(flush) }
        flush = nil
        app.end()
        self.app = nil
        endedApp = app
    }

    /// What lived with the process before goes when the next begins: until then it can be asked for its goods.
    private func letGoOfEnded() {
        endedApp?.letGo()
        endedApp = nil
    }

    package func enterBackground() { app?.enterBackground() }

    package func enterForeground() {
        let handedOver = app?.enterForeground() ?? []
        daemon.resume(except: handedOver)
    }

    /// The user deletes the app and installs it again.
    package func reinstall() {
        precondition(app == nil, "user \(user) deletes the app while it runs")
        installations.add(1, ordering: .relaxed)
        endedApp?.forgetUses()
        leftSecrets = !storage.secrets.isEmpty
        storage.erase()
        home.erase()
        loseReceipts()
        daemon.forgetApp()
        note(.reinstalled)
    }

    /// The user installs another client as the app's update.
    package func noteUpdate(to client: String) { note(.updated(client: names.messages.add(client))) }

    /// For each account that may be signed in.
    private func listenForNews(of store: SimulatedAppStore) {
        for account in store.accounts(of: user) {
            store.addNewsListener(user: account) { [weak self] in
                self?.lane.send { [weak self] in
                    if let self, self.account == account { link.newsArrived() }
                }
            }
        }
    }

    // MARK: What the person does on the device outside the app

    /// The person signs in with their other account (R1: the queue is the account's). Nothing may be under way.
    package func switchAccount() {
        precondition(app == nil, "user \(user) changes the account while the app runs")
        account = account == user ? terms.otherAccount(of: user) : user
        exchangeReceipts()
        daemon.switchAccount()
        note(.accountSwitched)
    }

    /// R43: they tap a promoted product in the store, which opens the app if need be. The caller launches it.
    package func tapPromotedProduct(_ product: ProductIndex) {
        if let app { record(.promotionTapped(product), of: app) }
        daemon.promote(PaymentValue(productIdentifier: catalog[product].identifier, quantity: 1))
    }

    // MARK: Crashes

    func crashes(before effect: Effect, count: Int, crashEffect: Int?) -> Bool {
        if isSettling { return false }
        if let script, script.crashes(before: effect, on: self) { return true }
        if crashFaults.isEmpty { return false }
        if count == crashEffect { return true }
        for fault in crashFaults {
            switch fault.moment {
            case .anyEffect: if crashStream.hits(fault.share) { return true }
            case .beforeFinish: if effect == .finish, crashStream.hits(fault.share) { return true }
            case .afterCharge, .duringRestore, .effect: continue
            }
        }
        return false
    }

    /// A charge is known to the device, and not yet to the app.
    func chargeArrived() {
        if crashFaults.isEmpty || isSettling || app == nil { return }
        for fault in crashFaults where fault.moment == .afterCharge && crashStream.hits(fault.share) { return crash() }
    }

    func crashesDuringRestore() -> Bool {
        if crashFaults.isEmpty || isSettling { return false }
        for fault in crashFaults where fault.moment == .duringRestore && crashStream.hits(fault.share) { return true }
        return false
    }

    // MARK: The end

    /// Breaks all reference cycles, so that the device is freed.
    package func shutDown() {
        if let app { end(app) }
        letGoOfEnded()
        onCrash = nil
        onWaiting = nil
        onQuiet = nil
        dropOutsideCalls()
        home.remove()
        if let queue = (lane as? WallLane)?.queue { QueueOwner.release(queue) }
        stampede_forget_warnings()
    }
}
