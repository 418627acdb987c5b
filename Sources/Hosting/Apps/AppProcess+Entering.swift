// Entering client code: as which process, on which queue, with whose static data, and for how long.
// Called on the device's lane, except what says otherwise.

internal import CRuntime
internal import Statics
internal import Synchronization

/// The calls into an app's code, in one launch.
struct CallTrack {
    /// How many have begun under the virtual clock.
    var count = 0
    /// The call that began last.
    var latest = ClientCall.launch
    /// The call that waits on the main queue: its kind, its number among the calls, and since when it waits.
    var main = ClientCall.launch
    var mainNumber = 0
    var mainWaitsSince = Instant.start
}

extension AppProcess {
    /// Runs client code as this process: the static entry points of StoreKit find it wherever they are asked.
    ///
    /// The outermost call is noted for the watchdog. Under the virtual clock it runs on the device's main queue, and waits
    /// where client code holds that. Any thread.
    package func enter(_ call: ClientCall, _ body: () -> Void) {
        guard isAlive else { return }
        guard let app else { return measured(call, body) }
        if !isOnWallClock {
            inFrame(call, { stampede_begin(app, $0) }) { watched(call, body) }
        } else if device.lane.isCurrent {
            inFrame(call, { stampede_begin(app, $0) }) { measured(call, body) }
        } else {
            inFrame(call, { stampede_begin_beside(app, $0) }) { measured(call, body) }
        }
    }

    /// The same beside the main queue.
    package func enterInBackground(_ call: ClientCall, _ body: () -> Void) {
        guard let app else { return CallbackContext.$isBound.withValue(true) { enter(call, body) } }
        guard isAlive else { return }
        inFrame(call, { stampede_begin_background(app, $0) }) {
            if isOnWallClock { measured(call, body) } else { watched(call, body) }
        }
    }

    /// Runs what the runtime has to do for the app in an event. It drops what belongs to a process that has ended.
    func runOwn(_ call: ClientCall, _ body: () -> Void) {
        if isAlive, mayWork(asking: false) { watched(call, body) } else { body() }
    }

    private func watched(_ call: ClientCall, _ body: () -> Void) {
        called(call) { timed(call, body) }
    }

    private func timed(_ call: ClientCall, _ body: () -> Void) {
        calls.latest = call
        if isOnWallClock { return noted(call, body) }
        guard let slot = device.lane.callSlot, slot._withUnsafeGuaranteedRef({ $0.isFree }) else { return body() }
        slot._withUnsafeGuaranteedRef { $0.begin(LostCall.word(self, call)) }
        body()
        slot._withUnsafeGuaranteedRef { $0.end() }
    }

    /// The same for the watchdog of the wall clock.
    private func noted(_ call: ClientCall, _ body: () -> Void) {
        guard let slot = device.lane.threadCalls?.thread()?.slot else { return body() }
        slot.begin(LostCall.word(self, call))
        body()
        slot.end()
    }

    /// - Parameter begin: false if nothing is to begin.
    @inline(__always)
    private func inFrame(
        _ call: ClientCall, _ begin: (UnsafeMutablePointer<stampede_frame>) -> Bool, _ body: () -> Void
    ) {
        if ClientBreakpoint.isSet { ClientBreakpoint.look(self, call) }
        var frame = stampede_frame()
        withUnsafeMutablePointer(to: &frame) { frame in
            guard begin(frame) else { return }
            body()
            stampede_end_frame(frame)
        }
    }

    /// The same under the wall clock: on any thread, and with the process bound for the tasks that the client makes.
    func measured(_ call: ClientCall, _ body: () -> Void) {
        if let calls = device.lane.threadCalls, let thread = calls.thread() {
            enter(call, on: thread, calls.pulse, body)
        } else {
            CurrentProcess.$bound.withValue(self) { called(call, body) }
        }
    }

    /// A call that holds the main queue is measured.
    private func enter(_ call: ClientCall, on thread: CallingThread, _ pulse: Pulse, _ body: () -> Void) {
        let holdsMainQueue = device.lane.isCurrent
        let began = thread.beginMeasuring()
        thread.slot.begin(LostCall.word(self, call))
        CurrentProcess.$bound.withValue(self) { called(call, body) }
        thread.slot.end()
        let limit = device.mainQueueLimit
        guard holdsMainQueue, HostClock.nanoseconds - began > limit, isAlive else { return }
        let times = thread.measure(since: began, pulse)
        if times.holdsQueue(limit: limit) {
            record(.mainQueueHeld(Span(nanoseconds: times.own), limit: Span(nanoseconds: limit), call))
        }
    }

    /// Runs a block that client code put on a queue. Any thread.
    package func enterBlock(_ call: ClientCall, _ body: () -> Void) {
        // Blocks beside the main queue do not hold it, and count by what they ask for.
        if !device.lane.isCurrent || mayWork(asking: false) { enter(call, body) }
    }

    /// Lets go of what lived with the process.
    package func letGo() {
        guard let app else { return objects.close() }
        if endsTasks { endTasks { endTasks(app, $0) } }
        // What is freed may run client code.
        letGo(app)
        statics = nil
    }

    /// Ends the tasks that wait for StoreKit: Swift frees what a task holds only when it ends. What they still do has no effect. A
    /// task that ends the process, or that never ends, is left where it is.
    private func endTasks(_ app: OpaquePointer, _ receiver: any Receiver) {
        called(.resumption) {
            timed(.resumption) {
                asReading(app) {
                    receiver.endWaitingTasks()
                    stampede_tasks_run_last(app, Self.lastJobsMax)
                }
            }
        }
        stampede_tasks_have_ended(app)
    }

    private static let lastJobsMax: Int32 = 1_000

    private func letGo(_ app: OpaquePointer) {
        var isFreed = false
        called(.letGo) {
            timed(.letGo) { asReading(app) { objects.close() } }
            isFreed = true
        }
        // What ends the process when it is freed is kept for ever.
        if !isFreed { _ = Unmanaged.passRetained(objects) }
    }

    /// The calling thread is about to run code of this process.
    func bringStaticsIn() {
        guard DeviceData.isExchanged else { return }
        if statics == nil { statics = DeviceData() }
        statics?.bringIn()
    }

    /// Finds out whether the thread that holds the app's main queue waits for an event that no code is left to cause.
    ///
    /// Called when nothing is outstanding for the device.
    package func checkWaits() {
        guard let app, isAlive, !isOnWallClock, !device.daemon.isBusy, !device.hasOutsideWork,
            !stampede_app_has_threads(app)
        else { return }
        let what = stampede_app_main_wait(app)
        guard what != stampede_waits_for_nothing, let wait = ClientWait(rawValue: UInt8(what.rawValue)) else { return }
        let hang = HungCall(waited: device.lane.now - calls.mainWaitsSince, wait: wait)
        CallBoard.point(at: self, number: calls.mainNumber)
        guard CallBoard.isAgain else { return hangs(hang) }
        CallBoard.hangs(hang)
        stampede_app_give_up_wait(app)
    }

    /// Neither the call on the main queue comes back nor the thread that found out.
    private func hangs(_ hang: HungCall) {
        fence()
        if let app { stampede_app_abandon(app) }
        device.hangs(HungClient(lost: LostCall(app: self, call: calls.main), hang: hang))
    }

    /// There was no way out of what it waits in. On the thread that does.
    func isGivenUpInVain() {
        CallBoard.point(at: self, number: calls.mainNumber)
        if let hang = CallBoard.takeHang() { hangs(hang) }
    }

    /// Client code begins to wait.
    func waits() {
        calls.mainNumber = CallBoard.callNumber
        calls.main = calls.latest
        calls.mainWaitsSince = device.lane.now
    }

    /// Reads a number of goods from client code.
    ///
    /// - Parameter seen: the number to use if reading would end the process.
    package func readGoods(orElse seen: @autoclosure () -> Int, _ body: () -> Int) -> Int {
        var goods: Int?
        readGoods { goods = body() }
        return goods ?? seen()
    }

    /// Reads goods, which runs client code, possibly of a process that has ended and mostly from within another call.
    /// If that code cannot continue, `body` is left in the middle.
    package func readGoods(_ body: () -> Void) {
        device.isReadingGoods = true
        defer { device.isReadingGoods = false }
        guard let app else { return ReadingProcess.read(self, body) }
        called(.holdings) { readGoods(app, body) }
    }

    private func readGoods(_ app: OpaquePointer, _ body: () -> Void) {
        if isOnWallClock { return noted(.holdings) { asReading(app, body) } }
        guard let slot = device.lane.callSlot, slot._withUnsafeGuaranteedRef({ $0.isFree }) else {
            return asReading(app, body)
        }
        slot._withUnsafeGuaranteedRef { $0.begin(LostCall.word(self, .holdings)) }
        asReading(app, body)
        slot._withUnsafeGuaranteedRef { $0.end() }
    }

    private func asReading(_ app: OpaquePointer, _ body: () -> Void) {
        var frame = stampede_frame()
        withUnsafeMutablePointer(to: &frame) { frame in
            stampede_begin_reading(app, frame)
            body()
            stampede_end_frame(frame)
        }
    }
}

/// A request of the user's, as the tasks of client code know it that work for it.
package final class TaskRequest: Sendable {
    /// Inherited by the tasks that a task makes, which may outlive the request.
    @TaskLocal package static var current: TaskRequest?
    package static var number: Int32? { current?.number }

    private let number: Int32
    private let answered = Atomic<Bool>(false)
    /// Whether the app has answered it.
    package var isAnswered: Bool { answered.load(ordering: .relaxed) }

    package init(number: Int32) { self.number = number }

    package func answer() { answered.store(true, ordering: .relaxed) }
}

/// Which process is client code running for?
package enum CurrentProcess {
    /// Under the wall clock bound around every delivery into client code; inherited by its tasks.
    @TaskLocal package static var bound: AppProcess?

    /// The process of the calling code under the virtual clock; else the bound one, the one whose goods are read, or that
    /// of the executing queue.
    package static var found: AppProcess? {
        if let known = stampede_current_process() {
            return Unmanaged<AppProcess>.fromOpaque(known).takeUnretainedValue()
        }
        return bound ?? ReadingProcess.current ?? QueueOwner.executing?.process
    }
}
