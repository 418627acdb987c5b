// One simulated user: follows a journey step by step.
// Guard: the device's lane.

import ClientKit
import Judgement
import Scenario
import Simulation

final class UserRunner: @unchecked Sendable {
    /// The user's devices, the first one first.
    let userDevices: [UserDevice]
    /// The device that the user holds now.
    @exclusivity(unchecked) private(set) var userDevice: UserDevice
    // Unsafe: the run retains a cell until its last user has been judged, and for ever if the run is stopped.
    unowned(unsafe) let cell: Cell
    @exclusivity(unchecked) var chance: RandomStream
    var relaunchChance: RandomStream

    private var journey: [Step] = []
    @exclusivity(unchecked) private var iterations = Iterations(.times(0, until: .start))
    @exclusivity(unchecked) var cursor = StepCursor()
    private var instant = InstantCount()
    @exclusivity(unchecked) var nextRequest = 1
    @exclusivity(unchecked) var lastAnswer: AnswerCode?
    @exclusivity(unchecked) var totals = UserTotals()

    @exclusivity(unchecked) var state = UserState.acting {
        didSet { if oldValue.isAsking, !state.isAsking { cell.journeyCounts?.waitEnds() } }
    }
    @exclusivity(unchecked) var deadline = Instant.never
    @exclusivity(unchecked) var alarm: (ticket: Ticket, due: Instant)?
    @exclusivity(unchecked) var step = StepState()
    var failedLaunches = 0
    var activeSince: Instant?
    /// The run has ended before its time.
    var isCutShort = false
    var rest = ComingToRest()

    /// Launches in a row that may crash before the step that needed one is skipped.
    private static let failedLaunchesMax = 50
    /// The same of launches that the client ends by itself.
    private static let deadLaunchesMax = 5
    /// Steps that may be run in one event; the next go on in another, so that a stop is noticed.
    private static let stepsPerEvent = 4_096
    /// A step that waits for an answer, even in the same instant, counts as this many steps: it costs more.
    private static let stepsPerWait = 200

    enum StepResult {
        case done
        case wait
    }

    /// - Parameter devices: at least one, all of them of one user.
    init(devices: [Device], cell: Cell) {
        userDevices = devices.map { UserDevice(device: $0) }
        userDevice = userDevices[0]
        self.cell = cell
        user = devices[0].user
        chance = RandomStream(seed: cell.seed, user: user, purpose: .journey)
        relaunchChance = RandomStream(seed: cell.seed, user: user, purpose: .relaunch)
        for userDevice in userDevices {
            userDevice.device.onCrash = { [unowned self, unowned userDevice] in crashed(userDevice) }
            userDevice.device.onWaiting = { [unowned self, unowned userDevice] in
                if userDevice === self.userDevice { step.clientWaits() }
            }
        }
    }

    let user: Int
    var device: Device { userDevice.device }
    var client: (any StoreClient)? { userDevice.client }
    var pending: [PendingRequest] { userDevice.pending }
    /// Where journeys begin and end. Any thread.
    var home: Device { userDevices[0].device }

    // MARK: Iterations

    func begin(_ steps: [Step], repetition: Repetition) {
        // On the wall clock it may be broken off before it has begun.
        if state.isSettling { return }
        journey = steps
        iterations = Iterations(repetition)
        becomeActive()
        iterate()
    }

    private func iterate() {
        if state.isSettling { return }
        let now = device.lane.now
        switch iterations.next(at: now, done: totals.iterations) {
        case .none: return settle()
        case .waits(let begin):
            becomeIdle()
            device.lane.schedule(after: begin - now) { [self] in iterate() }
        case .begins:
            if activeSince == nil { becomeActive() }
            totals.iterations += 1
            cursor = StepCursor(journey)
            advance()
        }
    }

    private func iterationEnded() {
        guard userDevice === userDevices[0] else { return take(0, then: iterationEnded) }
        instant.noteIteration()
        cell.journeyEnded(self)
        if let entry = iterations.returnsTo {
            becomeIdle()
            return cell.returned(self, entry: entry)
        }
        // From an event of its own: an iteration that takes no time must not grow the stack.
        device.lane.schedule { [self] in iterate() }
    }

    private func becomeActive() {
        activeSince = device.lane.now
        cell.journeyCounts?.journeysBegin()
    }

    func becomeIdle() {
        guard let since = activeSince.take() else { return }
        cell.journeyCounts?.journeysEnd()
        totals.active.append((since, device.lane.now))
    }

    // MARK: Steps

    /// Runs steps until one has to be waited for.
    func advance() {
        // What was on its way when the journey was broken off.
        if state.isSettling { return }
        if isSpinning, instant.isOf(device.lane.now) { return stopSpinning() }
        var steps = 0
        while let step = cursor.step() {
            steps += 1
            if steps > Self.stepsPerEvent { return pause(after: steps) }
            let place = cursor.userDevice
            if userDevices[place] !== userDevice { return take(place, then: advance) }
            if step.needsApp, device.process == nil, !ensureRunning() { return }
            cursor.goOn()
            let number = self.step.begin()
            let result = execute(step)
            switch self.step.returns(number) {
            case .late: return
            case .cut:
                totals.unknownSteps += 1
                return relaunchLater()
            case .whole: if result == .wait { return instant.note(steps + Self.stepsPerWait, at: device.lane.now) }
            }
        }
        pause(after: steps, then: iterationEnded)
    }

    private var isSpinning: Bool {
        guard instant.isFull else { return false }
        // What has come round once in this instant comes round for ever.
        if !iterations.isCounted, instant.hasEndedIteration { return true }
        return !cursor.endsSoon(journeysLeft: iterations.left, of: journey)
    }

    /// Goes on in an event of its own.
    private func pause(after steps: Int, then goOn: (() -> Void)? = nil) {
        instant.note(max(1, steps), at: device.lane.now)
        if isSpinning { return stopSpinning() }
        if let goOn { return goOn() }
        device.lane.schedule { [self] in advance() }
    }

    /// A journey that takes no time would never end.
    private func stopSpinning() {
        totals.isSpinning = true
        settle()
    }

    /// Takes these steps next on another of the user's devices; on the only one, if there is no other.
    func stepsOnOtherDevice(_ steps: [Step]) {
        cursor.enter(steps, times: 1, on: (cursor.userDevice + 1) % userDevices.count)
    }

    /// Puts one device aside and takes up another. What the user does next, they do on that one's lane.
    func take(_ place: Int, then goOn: @escaping () -> Void) {
        userDevice = userDevices[place]
        let goOn = LaneBody(body: goOn)
        device.lane.send { goOn.body() }
    }

    /// The lanes of a user's devices run one at a time. `UnsafeTransfer` would allocate a thunk for a closure.
    private struct LaneBody: @unchecked Sendable { let body: () -> Void }

    /// Launches the app for a step that needs it. False if the launch crashed: the step is tried again later.
    private func ensureRunning() -> Bool {
        guard launchInStep() else { return false }
        if device.process != nil {
            failedLaunches = 0
            return true
        }
        if launchFails() {
            totals.unknownSteps += 1
            cursor.goOn()
        }
        relaunchLater()
        return false
    }

    /// True if it was one too many. A person tries again now and then, and gives an app up that dies by itself each time.
    func launchFails() -> Bool {
        failedLaunches += device.hasDied ? Self.failedLaunchesMax / Self.deadLaunchesMax : 1
        if failedLaunches < Self.failedLaunchesMax { return false }
        failedLaunches = 0
        return true
    }

    func resume() {
        state.timeIsUp()
        // An alarm set on one device may ring when the user holds another.
        if device.lane.isCurrent { return advance() }
        device.lane.send { [self] in advance() }
    }

    func resume(after span: Span) -> StepResult {
        state.pauses()
        device.lane.schedule(after: span) { [self] in resume() }
        return .wait
    }

    // MARK: The app

    /// Launches the app. False if it ended while its launch waited: the user has gone on without it, from where it ended.
    func launchInStep() -> Bool {
        let number = step.begin()
        launch()
        return step.returns(number) != .late
    }

    /// Launches the app; a running app is ended first.
    func launch() {
        terminate()
        let began = cell.measuresLaunches ? device.lane.now : .start
        // The process before holds its client to the end, and lets go of it among its own data.
        userDevice.client = nil
        let process = device.launch()
        let environment = AppEnvironment(process: process, facts: cell.setup.facts)
        userDevice.process = process
        process.enter(.launch) {
            let client = (userDevice.update ?? cell.client).init(environment: environment)
            userDevice.client = client
            process.keep(client, as: ObjectIdentifier(UserRunner.self))
            process.goodsHeld = { [cell, unowned process] in process.held(of: cell.products[$0].identifier, by: client)
            }
            client.launch()
            // Not before: what a client holds may be for its launch to find out.
            process.noticeUsesTakenOver()
            process.hasLaunched()
            guard process.isAlive else { return }
            process.launchReturned(observers: environment.observerCount)
            device.noteGoodsKept(by: process)
            if cell.measuresLaunches { totals.launchDurations.append(device.lane.now - began) }
        }
    }

    func terminate() {
        guard let process = device.process else { return }
        if !userDevice.pending.isEmpty { process.remarkUnresumed() }
        if process.isInBackground { device.enterForeground() }
        process.closes()
        process.enter(.willTerminate) {
            client?.willTerminate()
            process.isToTerminate()
        }
        userDevice.pending.removeAll()
        device.terminate()
    }
}
