// One launch of the app on a device, and the fence that every effect of it passes.
// Guard: confined to the device's lane, except what a client's own threads ask before they get there:
// `isAlive` is atomic, the receivers and the objects have locks of their own.

internal import CRuntime
internal import Foundation
internal import Statics
internal import Synchronization

/// What came for an app while it was suspended.
private struct HeldBack {
    var events: [(event: DaemonEvent, apis: PurchaseAPIs)] = []
    /// From the web.
    var answers: [() -> Void] = []
}

package final class AppProcess: AppPort, @unchecked Sendable {
    package let device: Device
    /// The launch, counted from 1.
    package let number: Int

    private let alive = Atomic<Bool>(true)
    @exclusivity(unchecked) package private(set) var isInBackground = false
    /// What the app has been told of that: an `AppPhase`.
    let phaseWord = Atomic<UInt8>(AppPhase.inactive.rawValue)
    @exclusivity(unchecked) package var listening: PurchaseAPIs = []
    /// Effects that took hold or were about to.
    @exclusivity(unchecked) package private(set) var effectCount = 0
    /// The request of the user that client code is being called with, or 0.
    @exclusivity(unchecked) package var requestInCall: Int32?
    @exclusivity(unchecked) private var nextRequest = 1
    @exclusivity(unchecked) private var workload = Workload()
    /// The launch has returned without an observer, and what it has put on the app's queues has yet to run.
    @exclusivity(unchecked) private var isLaunchOpen = false
    /// The app has read what StoreKit 2 has unfinished, without a request of its user.
    @exclusivity(unchecked) private var readsUnfinished = false
    /// A task reads `Transaction.updates`, and the daemon is to know.
    @exclusivity(unchecked) package private(set) var readsUpdates = false
    /// The app has read what its user owns, without a request of its user.
    @exclusivity(unchecked) private(set) var readsEntitlements = false
    /// `updatesUnread` was the last that was noted of readers.
    @exclusivity(unchecked) private var lacksReader = false
    @exclusivity(unchecked) private var launchReturnedAt = Instant.start
    /// How much work the app still had under way when the system announced its termination.
    @exclusivity(unchecked) package private(set) var leftUndone: Int?

    /// Guards `receivers`. Not a `Mutex`, which the thread sanitizer does not see through on Linux.
    private let lock = NSLock()
    /// Of the payment queue and of StoreKit 2.
    @exclusivity(unchecked) private var receivers: (queue: (any Receiver)?, storeKit2: (any Receiver)?)
    let objects = ProcessObjects()
    /// What the layer above knows of the app, a process that has ended included.
    @exclusivity(unchecked) package var facts: AnyObject?
    /// What is static in the client's modules, as this process has it; made when it first enters them.
    @exclusivity(unchecked) var statics: DeviceData?
    /// Reads how many goods of a product are held durably; set by the client's creator.
    @exclusivity(unchecked) package var goodsHeld: ((ProductIndex) -> Int)?

    @exclusivity(unchecked) var goods = GoodsWatch()
    /// The launch has returned: what the client holds is what it has.
    @exclusivity(unchecked) private(set) var isUp = false
    @exclusivity(unchecked) private var heldBack = HeldBack()
    private let crashEffect: Int?
    /// What the runtime knows of this launch; nil where it serves none, and without a harness.
    let app: OpaquePointer?
    /// Whether the runtime serves it under the wall clock.
    let isOnWallClock: Bool
    /// Tasks that wait for StoreKit when the process ends are brought to their ends. Under the wall clock, where they run on any
    /// thread, they wait for ever.
    package var endsTasks: Bool { app != nil && !isOnWallClock }
    let ownWork = OwnWork()
    @exclusivity(unchecked) var calls = CallTrack()
    /// Where the person shopped when the app was launched; nil: where the catalog is sold.
    package let storefrontAtLaunch: StorefrontValue?

    init(device: Device, number: Int, crashEffect: Int?) {
        self.device = device
        self.number = number
        self.crashEffect = crashEffect
        storefrontAtLaunch = device.storefront
        isOnWallClock = (device.lane as? WallLane)?.isServed ?? false
        let isServed = !device.isStandalone && (isOnWallClock || device.lane.isVirtual)
        if isServed { AppRuntime.install() }
        app = isServed ? stampede_app_make(isOnWallClock) : nil
        if let app { stampede_app_belongs(app, Unmanaged.passUnretained(self).toOpaque()) }
    }

    deinit { if let app { stampede_app_release(app) } }

    /// False once the process has ended. Any thread.
    package var isAlive: Bool { alive.load(ordering: .relaxed) }

    /// The in-process state of one of the app's purchase APIs, made on demand and released at the end: a process that has
    /// ended gets a new one each time, unless its tasks still wait there. Any thread.
    package func receiver(of api: PurchaseAPIs, orMake make: () -> any Receiver) -> any Receiver {
        lock.withLock {
            if let receiver = api == .paymentQueue ? receivers.queue : receivers.storeKit2 { return receiver }
            let made = make()
            if !isAlive { return made }
            if api == .paymentQueue { receivers.queue = made } else { receivers.storeKit2 = made }
            return made
        }
    }

    /// Where tasks of the process wait that has ended; released once `end` has returned.
    func endTasks(_ end: (any Receiver) -> Void) {
        guard let receiver = lock.withLock({ receivers.storeKit2 }) else { return }
        end(receiver)
        lock.withLock { receivers.storeKit2 = nil }
    }

    /// The one object of its type in this process, made at the first call; after the end a new one each time.
    /// Any thread: other callers wait while the first one makes it.
    package func processObject<Object: AnyObject>(_ type: Object.Type, orMake make: () -> Object) -> Object {
        // The key is the type's.
        unsafeDowncast(objects.object(for: ObjectIdentifier(type), orMake: make), to: Object.self)
    }

    /// Keeps an object, such as the client, for as long as the process lives.
    package func keep(_ object: AnyObject, as key: ObjectIdentifier) { objects.keep(object, as: key) }

    /// The fence. True if the effect may take hold; a crash that is due here happens first.
    package func passes(_ effect: Effect) -> Bool {
        device.catchUp()
        if isOnWallClock { FatalThreads.leaveIfAsked() } else { CallBoard.leaveIfHung() }
        guard isAlive else { return false }
        // What it has written so far was before.
        if app != nil, effect != .storageWrite { stampede_files_settle() }
        effectCount += 1
        guard mayWork(asking: effect == .storeKitCall || effect == .httpRequest) else { return false }
        if device.crashes(before: effect, count: effectCount, crashEffect: crashEffect) {
            device.crash(before: MissedEffect(number: Int32(effectCount), effect: effect))
            return false
        }
        return true
    }

    /// The system is about to end the app and announces it: from here on the app tidies up.
    package func closes() {
        noticeUnstoredGoods()
        if isLaunchOpen, !isTooYoung { noteLaunch() }
        leftUndone = device.underWayForApp
        record(.willTerminate)
    }

    /// The run is over, and nothing is under way: what the app holds now is what its user keeps.
    package func settles(_ note: DeviceEvent.SettledNote) {
        noticeUnstoredGoods()
        record(.settled(note))
    }

    // MARK: The end of the launch

    /// The app's launch has returned. Without an observer the app may still add one in blocks that it has put on its
    /// queues. The number of observers is noted when the app has finished its work, or a little after the person acts.
    package func launchReturned(observers: Int) {
        isUp = true
        launchReturnedAt = device.lane.now
        if observers > 0 { return record(.launchReturned(observers: observers)) }
        isLaunchOpen = true
        noteLaunch(atRestBy: device.lane.now + launchRestMax)
    }

    private func noteLaunch(atRestBy latest: Instant) {
        // Looked at again now and then, not as often as the queue turns.
        afterTurn(lasting: runsInOrder ? Self.instant : .milliseconds(1)) { [self] in
            let isAtWork = !runsInOrder && device.isAtWorkForApp && device.lane.now < latest
            if isAtWork, listening.isEmpty { noteLaunch(atRestBy: latest) } else { noteLaunch() }
        }
    }

    /// If it ends as soon as it was launched, what it has put on its queues has had no time to observe.
    private var isTooYoung: Bool {
        device.isAtWorkForApp && device.lane.now <= launchReturnedAt + (runsInOrder ? .zero : launchRestMax)
    }

    /// Whether what the launch has put on its queues has run by the next instant: real time passes by itself, and where orders of
    /// events are explored, one may overtake another.
    private var runsInOrder: Bool { !isOnWallClock && !(device.lane is ExploredTimeline) }

    /// What the person asks for in the very instant of the launch is none of it.
    private func noteLaunch(afterTurns count: Int) {
        if count == 0 { return noteLaunch() }
        afterTurn(lasting: .zero) { [self] in noteLaunch(afterTurns: count - 1) }
    }

    /// Runs `body` behind what the main queue holds for now.
    private func afterTurn(lasting time: Span, _ body: @escaping () -> Void) {
        device.schedule(after: time, from: .mainQueue(of: device.number), body)
    }

    /// An observer is added. If the app adds it when the person asks for something, it does not belong to the launch.
    package func willObserve() { if isLaunchOpen, requestInCall != nil { noteLaunch() } }

    /// The app reads what its user owns, without being asked to. False if it has done so before.
    package func noteReadOfEntitlements() -> Bool {
        defer { readsEntitlements = true }
        return !readsEntitlements
    }

    /// S17: an app that reads what is unfinished at its launch needs no reader of updates before it buys something.
    package func willReadUnfinished() { readsUnfinished = true }

    package func willReadUpdates() {
        willObserve()
        readsUpdates = true
        guard lacksReader else { return }
        lacksReader = false
        record(.updatesRead)
    }

    /// The last reader of updates is gone, and the app goes on.
    package func endsReadingUpdates() {
        readsUpdates = false
        lacksReader = true
        record(.updatesUnread(hadReader: true))
    }

    private func noteLaunch() {
        guard isAlive, isLaunchOpen else { return }
        isLaunchOpen = false
        let isObserved = readsUpdates || !listening.isEmpty
        record(.launchReturned(observers: isObserved || readsUnfinished ? 1 : 0))
        if isObserved || !readsUnfinished { return }
        lacksReader = true
        record(.updatesUnread(hadReader: false))
    }

    private static let instant = Span(nanoseconds: 1)
    /// Hops that an app may take from its launch to its observer.
    private static let turnsToObserve = 3
    /// Under the wall clock hops take time, and a busy machine much of it; where orders are explored each may wait for others.
    private var launchRestMax: Span { isOnWallClock ? .seconds(1) : .seconds(30) }

    /// The person does something: what the app does next is their doing, not its own.
    package func personActed() {
        workload.begin(at: device.lane.now)
        if isLaunchOpen, runsInOrder { noteLaunch(afterTurns: Self.turnsToObserve) }
    }

    /// False if the app has done more than a device could: the system ends it.
    func mayWork(asking: Bool) -> Bool {
        if workload.takes(asking: asking) || workload.hasRoom(at: device.lane.now) { return true }
        if !isAlive || device.isStandalone { return isAlive }
        record(.overworked(asked: workload.asked, done: workload.done))
        device.overworked()
        return false
    }

    /// Fences the process without ending it: its client does not return.
    /// Any thread.
    package func fence() { alive.store(false, ordering: .sequentiallyConsistent) }

    /// The client did what raises an exception on Apple's systems: its process ends here.
    ///
    /// - Parameter calls: of the code that did it; nil: it is what has called this.
    package func raise(_ exception: ClientException, in calls: [UInt]? = nil) {
        guard isAlive else { return }
        precondition(!device.isStandalone, exception.reason)
        device.log.end(in: calls ?? ClientCalls.now(), process: number)
        record(.raised(exception))
        device.counts.exceptions += 1
        device.crash()
    }

    /// The number of a request for products or a receipt, whichever API makes it.
    package func takeRequestNumber() -> Int {
        defer { nextRequest += 1 }
        return nextRequest
    }

    /// Sends a request to the daemon. The caller has passed the fence.
    package func request(_ request: DaemonRequest) {
        device.request(request, from: self)
    }

    package func record(_ event: DeviceEvent) {
        device.events.append(EventRecord(at: device.lane.now, process: number, event))
    }

    // MARK: Events from the daemon

    package func receive(_ event: DaemonEvent, for apis: PurchaseAPIs) {
        guard isAlive else { return }
        // A suspended app receives nothing; it receives the event when it returns to the foreground.
        if isInBackground { return heldBack.events.append((event, apis)) }
        if case .updated(let batch) = event {
            for transaction in batch {
                switch transaction.state {
                // What failed or waits for approval must bring none: that too is looked for.
                case .purchased, .failed, .deferred: awaitGoods(transaction.product, count: 1)
                case .purchasing, .restored: break
                }
            }
        }
        if apis.contains(.paymentQueue) { lock.withLock { receivers.queue }?.receive(event) }
        // The first may have been the end of it.
        if apis.contains(.storeKit2), isAlive { lock.withLock { receivers.storeKit2 }?.receive(event) }
    }

    /// Runs client code with what came from the web. A suspended app gets it when it comes back.
    package func receiveAnswer(_ body: @escaping () -> Void) {
        guard isAlive else { return }
        if isInBackground { return heldBack.answers.append(body) }
        enter(.webAnswer, body)
    }

    package func enterBackground() {
        isInBackground = true
        record(.backgrounded)
    }

    /// Hands over what was held back.
    ///
    /// - Returns: the transactions among it, by their handles.
    package func enterForeground() -> Set<Int> {
        isInBackground = false
        record(.foregrounded)
        let events = heldBack.events
        heldBack.events = []
        var handles: Set<Int> = []
        for (event, apis) in events {
            if case .updated(let batch) = event { for transaction in batch { handles.insert(transaction.handle) } }
            receive(event, for: apis)
        }
        let answers = heldBack.answers
        heldBack.answers = []
        for answer in answers { enter(.webAnswer, answer) }
        return handles
    }

    /// Ends the process; nothing it does afterwards has an effect.
    package func end() {
        alive.store(false, ordering: .relaxed)
        device.log.endLaunch(at: device.lane.now, process: number)
        let last = lock.withLock {
            defer { receivers = (nil, endsTasks ? receivers.storeKit2 : nil) }
            return receivers
        }
        if let app {
            if endsTasks, last.storeKit2 != nil { TaskExecutors.beginEnding(app) }
            stampede_app_end(app)
        }
        if isOnWallClock { ownWork.processEnded(of: device) }
        device.forgetOutsideWrites()
        listening = []
        last.queue?.processEnded()
        last.storeKit2?.processEnded()
        goodsHeld = nil
        heldBack = HeldBack()
        goods.awaited = []
    }
}
