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

    @exclusivity(unchecked) var frames: [Frame] = []
    private var journey: [Step] = []
    private var repetition = Repetition.times(0, until: .start)
    @exclusivity(unchecked) private var iterationsLeft = 0
    @exclusivity(unchecked) var nextRequest = 1
    @exclusivity(unchecked) var lastAnswer: AnswerCode?
    @exclusivity(unchecked) var totals = UserTotals()

    @exclusivity(unchecked) var waiting = Waiting.nothing {
        didSet { if oldValue.isForRequests, !waiting.isForRequests { cell.journeyCounts?.waitEnds() } }
    }
    @exclusivity(unchecked) var deadline = Instant.never
    @exclusivity(unchecked) var alarm: (ticket: Ticket, due: Instant)?
    @exclusivity(unchecked) var step = StepState()
    var failedLaunches = 0
    private var latestStepAt = Instant.start
    private var stepsInInstant = 0
    /// Iterations that have ended in this instant.
    private var iterationsInInstant = 0
    var activeSince: Instant?
    @exclusivity(unchecked) var phase = UserPhase.journeys
    /// The run has ended before its time.
    var isCutShort = false
    var rest = ComingToRest()

    /// Launches in a row that may crash before the step that needed one is skipped.
    private static let failedLaunchesMax = 50
    /// The same of launches that the client ends by itself.
    private static let deadLaunchesMax = 5
    /// Steps that may be run in one event; the next go on in another, so that a stop is noticed.
    private static let stepsPerEvent = 4_096
    /// Steps that may be run in one instant: a journey that needs more, and more and more, never lets time pass.
    private static let stepsPerInstantMax = 1_000_000
    /// A step that waits for an answer, even in the same instant, counts as this many steps: it costs more.
    private static let stepsPerWait = 200

    struct Frame {
        let steps: [Step]
        /// The device they are taken on.
        let userDevice: Int
        var next = 0
        var remaining: Int
    }

    enum Waiting: Equatable {
        case nothing
        case time
        /// For this request to be answered.
        case request(Int)
        /// For all of these to be answered.
        case requests([Int])

        var isForRequests: Bool {
            switch self {
            case .request, .requests: return true
            case .nothing, .time: return false
            }
        }
    }

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
        if isSettling { return }
        journey = steps
        self.repetition = repetition
        if case .times(let count, _) = repetition { iterationsLeft = count }
        becomeActive()
        iterate()
    }

    private func iterate() {
        if isSettling { return }
        switch repetition {
        case .times(_, let until):
            guard iterationsLeft > 0, device.lane.now < until || totals.iterations == 0 else { return settle() }
            iterationsLeft -= 1
        case .during(let windows):
            let now = device.lane.now
            // Who comes too late, on the wall clock, does it once, as with a number of times.
            let next = windows.first { now < $0.upperBound } ?? (totals.iterations == 0 ? windows.last : nil)
            guard let next else { return settle() }
            if now < next.lowerBound {
                becomeIdle()
                device.lane.schedule(after: next.lowerBound - now) { [self] in iterate() }
                return
            }
        case .untilReturned: break
        }
        if activeSince == nil { becomeActive() }
        totals.iterations += 1
        frames = [Frame(steps: journey, userDevice: 0, remaining: 1)]
        advance()
    }

    private func iterationEnded() {
        guard userDevice === userDevices[0] else { return take(0, then: iterationEnded) }
        iterationsInInstant += 1
        cell.journeyEnded(self)
        switch repetition {
        // From an event of its own: an iteration that takes no time must not grow the stack.
        case .times, .during: device.lane.schedule { [self] in iterate() }
        case .untilReturned(let entry):
            becomeIdle()
            cell.returned(self, entry: entry)
        }
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
        if isSettling { return }
        if isSpinning, latestStepAt == device.lane.now { return stopSpinning() }
        var steps = 0
        while let step = currentStep() {
            steps += 1
            if steps > Self.stepsPerEvent { return pause(after: steps) }
            let place = frames[frames.count - 1].userDevice
            if userDevices[place] !== userDevice { return take(place, then: advance) }
            if step.needsApp, device.process == nil, !ensureRunning() { return }
            frames[frames.count - 1].next += 1
            let number = self.step.begin()
            let result = execute(step)
            switch self.step.returns(number) {
            case .late: return
            case .cut:
                totals.unknownSteps += 1
                return relaunchLater()
            case .whole: if result == .wait { return note(steps + Self.stepsPerWait) }
            }
        }
        pause(after: steps, then: iterationEnded)
    }

    /// Counts steps against the instant they were run in.
    private func note(_ steps: Int) {
        let now = device.lane.now
        if now == latestStepAt {
            stepsInInstant += steps
        } else {
            (stepsInInstant, iterationsInInstant) = (steps, 0)
        }
        latestStepAt = now
    }

    private var isSpinning: Bool {
        guard stepsInInstant > Self.stepsPerInstantMax else { return false }
        switch repetition {
        case .times: break
        // What has come round once in this instant comes round for ever.
        case .during, .untilReturned: if iterationsInInstant > 0 { return true }
        }
        return !comesToItsEnd(repetition, iterationsLeft: iterationsLeft, of: journey)
    }

    /// Goes on in an event of its own.
    private func pause(after steps: Int, then goOn: (() -> Void)? = nil) {
        note(max(1, steps))
        if isSpinning { return stopSpinning() }
        if let goOn { return goOn() }
        device.lane.schedule { [self] in advance() }
    }

    /// A journey that takes no time would never end.
    private func stopSpinning() {
        totals.isSpinning = true
        settle()
    }

    private func currentStep() -> Step? {
        while !frames.isEmpty {
            let top = frames.count - 1
            let next = frames[top].next
            if next < frames[top].steps.count { return frames[top].steps[next] }
            if frames[top].remaining > 1 {
                frames[top].next = 0
                frames[top].remaining -= 1
            } else {
                frames.removeLast()
            }
        }
        return nil
    }

    func push(_ steps: [Step], times: Int) {
        guard times > 0, !steps.isEmpty else { return }
        frames.append(Frame(steps: steps, userDevice: frames.last?.userDevice ?? 0, remaining: times))
    }

    /// The same on the next one of the user's devices; on the only one, if there is no other.
    func pushOnOtherDevice(_ steps: [Step]) {
        let here = frames.last?.userDevice ?? 0
        frames.append(Frame(steps: steps, userDevice: (here + 1) % userDevices.count, remaining: 1))
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
            frames[frames.count - 1].next += 1
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
        waiting = .nothing
        // An alarm set on one device may ring when the user holds another.
        if device.lane.isCurrent { return advance() }
        device.lane.send { [self] in advance() }
    }

    func resume(after span: Span) -> StepResult {
        waiting = .time
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
            let client = cell.client.init(environment: environment)
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
