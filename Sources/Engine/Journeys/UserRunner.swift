// One simulated user: follows a journey step by step.
// Guard: the device's lane.

import Clients
import Scenario
import Simulation
import StoreKit

final class UserRunner: @unchecked Sendable {
    /// The user's devices, the first one first.
    let seats: [Seat]
    /// The one that the user holds now.
    @exclusivity(unchecked) private(set) var seat: Seat
    // Unsafe: whoever runs a cell keeps it until its last user has been judged, and for ever if the run is stopped.
    unowned(unsafe) let cell: Cell
    @exclusivity(unchecked) var chance: RandomStream
    private var relaunchChance: RandomStream

    @exclusivity(unchecked) private var frames: [Frame] = []
    private var journey: [JourneyStep] = []
    private var repetition = Repetition.times(0, until: .start)
    @exclusivity(unchecked) private var iterationsLeft = 0
    @exclusivity(unchecked) var nextRequest = 1
    @exclusivity(unchecked) var lastAnswer: AnswerCode?
    @exclusivity(unchecked) var totals = UserTotals()

    @exclusivity(unchecked) var waiting = Waiting.nothing
    @exclusivity(unchecked) private var deadline = Instant.never
    @exclusivity(unchecked) private var alarm: (ticket: Ticket, due: Instant)?
    @exclusivity(unchecked) private var isInStep = false
    @exclusivity(unchecked) private var crashedInStep = false
    private var failedLaunches = 0
    private var latestStepAt = Instant.start
    private var stepsInInstant = 0
    private var activeSince: Instant?
    private var isJudged = false
    private var isSettling = false
    private var hasSettledOtherAccounts = false

    /// Launches in a row that may crash before the step that needed one is skipped.
    private static let failedLaunchesMax = 50
    /// Steps that may be run in one event; the next go on in another, so that a stop is noticed.
    private static let stepsPerEvent = 4_096
    /// Steps that may be run in one instant: a journey that needs more never lets time pass.
    private static let stepsPerInstantMax = 1_000_000

    private struct Frame {
        let steps: [JourneyStep]
        /// The device they are taken on.
        let seat: Int
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
        seats = devices.map { Seat(device: $0) }
        seat = seats[0]
        self.cell = cell
        user = devices[0].user
        chance = RandomStream(seed: cell.seed, user: user, purpose: .journey)
        relaunchChance = RandomStream(seed: cell.seed, user: user, purpose: .relaunch)
        for seat in seats { seat.device.onCrash = { [unowned self, unowned seat] in crashed(seat) } }
    }

    let user: Int
    var device: Device { seat.device }
    var client: (any StoreClient)? { seat.client }
    var pending: [PendingRequest] { seat.pending }
    /// Where journeys begin and end. Any thread.
    var home: Device { seats[0].device }

    // MARK: Iterations

    func begin(_ steps: [JourneyStep], repetition: Repetition) {
        // On the wall clock it may be broken off before it has begun.
        if isSettling { return }
        journey = steps
        self.repetition = repetition
        if case .times(let count, _) = repetition { iterationsLeft = count }
        activeSince = device.lane.now
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
        if activeSince == nil { activeSince = device.lane.now }
        totals.iterations += 1
        frames = [Frame(steps: journey, seat: 0, remaining: 1)]
        advance()
    }

    private func iterationEnded() {
        guard seat === seats[0] else { return take(0, then: iterationEnded) }
        cell.journeyEnded(self)
        switch repetition {
        // From an event of its own: an iteration that takes no time must not grow the stack.
        case .times, .during: device.lane.schedule { [self] in iterate() }
        case .untilReturned(let entry):
            becomeIdle()
            cell.returned(self, entry: entry)
        }
    }

    private func becomeIdle() {
        guard let since = activeSince.take() else { return }
        totals.active.append((since, device.lane.now))
    }

    // MARK: Steps

    /// Runs steps until one has to be waited for.
    private func advance() {
        // What was on its way when the journey was broken off.
        if isSettling { return }
        var steps = 0
        while let step = currentStep() {
            steps += 1
            if steps > Self.stepsPerEvent { return pause(after: steps) }
            let place = frames[frames.count - 1].seat
            if seats[place] !== seat { return take(place, then: advance) }
            if step.needsApp, device.process == nil, !ensureRunning() { return }
            frames[frames.count - 1].next += 1
            isInStep = true
            let result = execute(step)
            isInStep = false
            if crashedInStep {
                crashedInStep = false
                totals.unknownSteps += 1
                return relaunchLater()
            }
            if result == .wait { return }
        }
        pause(after: steps, then: iterationEnded)
    }

    /// Counts steps against the instant they were run in, and goes on in an event of its own.
    private func pause(after steps: Int, then goOn: (() -> Void)? = nil) {
        let now = device.lane.now
        stepsInInstant = now == latestStepAt ? stepsInInstant + max(1, steps) : steps
        latestStepAt = now
        if stepsInInstant > Self.stepsPerInstantMax {
            totals.isSpinning = true
            return settle()
        }
        if let goOn { return goOn() }
        device.lane.schedule { [self] in advance() }
    }

    private func currentStep() -> JourneyStep? {
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

    func push(_ steps: [JourneyStep], times: Int) {
        guard times > 0, !steps.isEmpty else { return }
        frames.append(Frame(steps: steps, seat: frames.last?.seat ?? 0, remaining: times))
    }

    /// The same on the next one of the user's devices; on the only one, if there is no other.
    func pushOnOtherDevice(_ steps: [JourneyStep]) {
        let here = frames.last?.seat ?? 0
        frames.append(Frame(steps: steps, seat: (here + 1) % seats.count, remaining: 1))
    }

    /// Puts one device aside and takes up another. What the user does next, they do on that one's lane.
    private func take(_ place: Int, then goOn: @escaping () -> Void) {
        seat = seats[place]
        let goOn = Crossing(body: goOn)
        device.lane.send { goOn.body() }
    }

    /// The lanes of a user's devices run one at a time.
    private struct Crossing: @unchecked Sendable { let body: () -> Void }

    /// Launches the app for a step that needs it. False if the launch crashed: the step is tried again later.
    private func ensureRunning() -> Bool {
        isInStep = true
        launch()
        isInStep = false
        crashedInStep = false
        if device.process != nil {
            failedLaunches = 0
            return true
        }
        failedLaunches += 1
        if failedLaunches >= Self.failedLaunchesMax {
            failedLaunches = 0
            totals.unknownSteps += 1
            frames[frames.count - 1].next += 1
        }
        relaunchLater()
        return false
    }

    private func relaunchLater() {
        waiting = .time
        let pause = cell.app.relaunchAfter.drawSpan(&relaunchChance)
        device.lane.schedule(after: pause) { [self] in resume() }
    }

    private func resume() {
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

    // MARK: Waiting for answers

    func wait(for requests: [Int], atMost limit: Span) -> StepResult {
        if requests.isEmpty { return .done }
        return wait(.requests(requests), atMost: limit)
    }

    func wait(_ what: Waiting, atMost limit: Span) -> StepResult {
        waiting = what
        deadline = device.lane.now + limit
        setAlarm()
        return .wait
    }

    /// One alarm a user, set anew only when it rings too late: most waits end long before.
    private func setAlarm() {
        if let alarm {
            if alarm.due <= deadline { return }
            device.lane.cancel(alarm.ticket)
        }
        let due = deadline
        let ticket = device.lane.schedule(after: max(.zero, due - device.lane.now)) { [self] in
            alarm = nil
            guard waiting.isForRequests else { return }
            if device.lane.now < deadline { return setAlarm() }
            totals.unknownSteps += 1
            resume()
        }
        alarm = (ticket, due)
    }

    /// An answer came: goes on if it was the last one waited for.
    func answered(_ number: Int, on seat: Seat) {
        guard let place = seat.pending.firstIndex(where: { $0.number == number }) else { return }
        seat.pending.remove(at: place)
        switch waiting {
        case .request(let awaited): if awaited != number { return }
        case .requests(let awaited):
            if awaited.contains(where: { number in pending.contains { $0.number == number } }) { return }
        case .nothing, .time: return
        }
        waiting = .nothing
        // Not from inside the client's callback: it has work to do after it has answered.
        device.lane.send { [self] in advance() }
    }

    // MARK: Crashes

    private func crashed(_ crashed: Seat) {
        crashed.pending.removeAll()
        // A device that lies in a drawer may crash unnoticed.
        if crashed !== seat { return }
        if isInStep {
            crashedInStep = true
            return
        }
        guard waiting.isForRequests else { return }
        totals.unknownSteps += 1
        relaunchLater()
    }

    // MARK: The app

    /// Launches the app; one that runs is ended first.
    func launch() {
        terminate()
        let began = cell.measuresLaunches ? device.lane.now : .start
        let process = device.launch()
        let environment = AppEnvironment(
            process: process, products: cell.products, options: cell.material.clientOptions)
        process.enter(.launch) {
            let client = cell.client.init(environment: environment)
            seat.client = client
            process.keep(client, as: ObjectIdentifier(UserRunner.self))
            process.goodsHeld = { [cell] product in client.holdings(of: cell.products[product].identifier) }
            client.launch()
            guard process.isAlive else { return }
            process.record(.launchReturned, number: Int64(SKPaymentQueue.default().transactionObservers.count))
            if cell.measuresLaunches { totals.launchDurations.append(device.lane.now - began) }
        }
    }

    func terminate() {
        guard let process = device.process else { return }
        if process.isInBackground { device.enterForeground() }
        process.record(.willTerminate)
        process.enter(.willTerminate) { client?.willTerminate() }
        seat.pending.removeAll()
        device.terminate()
    }

    // MARK: The end

    /// The user has had its time: a journey that is under way goes no further.
    func breakOff() {
        if isSettling { return }
        if activeSince != nil { totals.interruptedIterations += 1 }
        settle()
    }

    /// Brings the links back, launches the app once more on every device and waits until nothing is under way.
    func settle() {
        if isSettling { return }
        isSettling = true
        becomeIdle()
        frames = []
        waiting = .time
        totals.journeyEnd = device.lane.now
        cell.journeysEnded(user)
        beginSettling(0)
    }

    private func beginSettling(_ place: Int) {
        if place == seats.count { return relaunch(0) }
        take(place) { [self] in
            terminate()
            let goOn = Crossing { [self] in beginSettling(place + 1) }
            device.beginSettling(goOn.body)
        }
    }

    private func relaunch(_ place: Int) {
        if place == seats.count { return }
        take(place) { [self] in
            isInStep = true
            launch()
            isInStep = false
            let seat = seat
            if device.process == nil {
                settled(seat)
            } else {
                // Weak: the lane keeps the first of them long after the user has been judged.
                device.lane.schedule(after: cell.settleLimit) { [weak self, weak seat] in self?.settled(seat) }
                device.whenQuiet { [weak self, weak seat] in self?.settled(seat) }
            }
            relaunch(place + 1)
        }
    }

    private func settleOtherAccounts(_ place: Int) {
        if place == seats.count { return relaunch(0) }
        take(place) { [self] in
            terminate()
            device.whenQuiet { [self] in
                device.switchAccount()
                let goOn = Crossing { [self] in settleOtherAccounts(place + 1) }
                device.settleAccount(goOn.body)
            }
            seat.isSettled = false
        }
    }

    /// Judges as soon as the last device has come to rest.
    private func settled(_ seat: Seat?) {
        seat?.isSettled = true
        if isJudged || !seats.allSatisfy(\.isSettled) { return }
        // What is unfinished on the other account is delivered when that one is signed in.
        if cell.material.hasSecondAccounts, !hasSettledOtherAccounts {
            hasSettledOtherAccounts = true
            return settleOtherAccounts(0)
        }
        isJudged = true
        if let alarm { device.lane.cancel(alarm.ticket) }
        let devices = seats.map { seat in
            seat.device.process?.record(.settled)
            let held = goodsHeld(seat)
            return DeviceRecord(
                history: seat.device.takeHistory(), held: held, counts: seat.device.counts,
                callbackTimes: seat.device.callbackTimes, requestFailures: seat.device.requestFailures)
        }
        for seat in seats {
            seat.device.shutDown()
            seat.client = nil
        }
        cell.judge(UserRecord(user: user, devices: devices, totals: totals))
    }

    /// Goods of every product, in the catalog's order, as durable storage has them.
    func goodsHeld(_ seat: Seat) -> [Int] {
        var held: [String: Int] = [:]
        let ask = { held = seat.client?.holdings() ?? [:] }
        if let process = seat.device.process { process.enter(.holdings, ask) } else { ask() }
        return cell.products.map { held[$0.identifier] ?? 0 }
    }
}

/// A question to the app that has not been answered.
struct PendingRequest {
    let number: Int
    let kind: Pending
}

/// What the runner itself counts of a user.
struct UserTotals: Sendable {
    var iterations = 0
    /// Those that were broken off.
    var interruptedIterations = 0
    var unknownSteps = 0
    /// The journey never let time pass, and was broken off.
    var isSpinning = false
    var expectationsMet = 0
    var expectationsMissed = 0
    var launchDurations: [Span] = []
    /// When the last journey ended and settling began.
    var journeyEnd = Instant.start
    /// When the user was on a journey, and not in the pool of an open load.
    var active: [(from: Instant, to: Instant)] = []
}

/// Everything the judge gets of one user, beside the store's books.
struct UserRecord: Sendable {
    let user: Int
    /// At least one.
    let devices: [DeviceRecord]
    let totals: UserTotals
}

struct DeviceRecord: Sendable {
    let history: [HistoryRecord]
    let held: [Int]
    let counts: DeviceCounts
    let callbackTimes: [Int64]
    let requestFailures: [Instant]
}

/// A device and what the user is doing on it.
final class Seat: @unchecked Sendable {  // Guard: the lanes of the user's devices, which run one at a time.
    let device: Device
    /// The client of the latest launch; its process may have ended.
    @exclusivity(unchecked) var client: (any StoreClient)?
    @exclusivity(unchecked) var pending: [PendingRequest] = []
    @exclusivity(unchecked) var isSettled = false

    /// How much of the history has been looked at.
    private var seen = 0

    init(device: Device) { self.device = device }

    /// What has happened since this was last asked for.
    func takeLatest() -> ArraySlice<HistoryRecord> {
        defer { seen = device.history.count }
        return device.history[min(seen, device.history.count)...]
    }
}
