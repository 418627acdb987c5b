// One simulated user: follows a journey step by step.
// Guard: the device's lane.

import Clients
import Scenario
import Simulation
import StoreKit

final class UserRunner: @unchecked Sendable {
    let device: Device
    // Unsafe: whoever runs a cell keeps it until its last user has been judged, and for ever if the run is stopped.
    unowned(unsafe) let cell: Cell
    @exclusivity(unchecked) var chance: RandomStream
    private var relaunchChance: RandomStream

    @exclusivity(unchecked) private var frames: [Frame] = []
    private var journey: [JourneyStep] = []
    private var repetition = Repetition.times(0, until: .start)
    @exclusivity(unchecked) private var iterationsLeft = 0
    /// The client of the latest launch; its process may have ended.
    @exclusivity(unchecked) var client: (any StoreClient)?

    @exclusivity(unchecked) var pending: [PendingRequest] = []
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
    private var isJudged = false
    private var isSettling = false

    /// Launches in a row that may crash before the step that needed one is skipped.
    private static let failedLaunchesMax = 50
    /// Steps that may be run in one event; the next go on in another, so that a stop is noticed.
    private static let stepsPerEvent = 4_096
    /// Steps that may be run in one instant: a journey that needs more never lets time pass.
    private static let stepsPerInstantMax = 1_000_000

    private struct Frame {
        let steps: [JourneyStep]
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

    init(device: Device, cell: Cell) {
        self.device = device
        self.cell = cell
        chance = RandomStream(seed: cell.seed, user: device.user, purpose: .journey)
        relaunchChance = RandomStream(seed: cell.seed, user: device.user, purpose: .relaunch)
        device.onCrash = { [unowned self] in crashed() }
    }

    // MARK: Iterations

    func begin(_ steps: [JourneyStep], repetition: Repetition) {
        precondition(!isSettling, "user \(device.user) begins a journey after its last")
        journey = steps
        self.repetition = repetition
        if case .times(let count, _) = repetition { iterationsLeft = count }
        iterate()
    }

    private func iterate() {
        switch repetition {
        case .times(_, let until):
            guard iterationsLeft > 0, device.lane.now < until || totals.iterations == 0 else { return settle() }
            iterationsLeft -= 1
        case .untilReturned: break
        }
        totals.iterations += 1
        frames = [Frame(steps: journey, remaining: 1)]
        advance()
    }

    private func iterationEnded() {
        switch repetition {
        // From an event of its own: an iteration that takes no time must not grow the stack.
        case .times: device.lane.schedule { [self] in iterate() }
        case .untilReturned(let entry): cell.returned(self, entry: entry)
        }
    }

    // MARK: Steps

    /// Runs steps until one has to be waited for.
    private func advance() {
        var steps = 0
        while let step = currentStep() {
            steps += 1
            if steps > Self.stepsPerEvent { return pause(after: steps) }
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
        if times > 0, !steps.isEmpty { frames.append(Frame(steps: steps, remaining: times)) }
    }

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
        advance()
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
    func answered(_ number: Int) {
        guard let place = pending.firstIndex(where: { $0.number == number }) else { return }
        pending.remove(at: place)
        switch waiting {
        case .request(let awaited): if awaited != number { return }
        case .requests(let awaited):
            if awaited.contains(where: { number in pending.contains { $0.number == number } }) { return }
        case .nothing, .time: return
        }
        waiting = .nothing
        // Not from inside the client's callback: it has work to do after it has answered.
        device.lane.schedule { [self] in advance() }
    }

    // MARK: Crashes

    private func crashed() {
        pending.removeAll()
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
        process.enter {
            let client = cell.client.init(environment: environment)
            self.client = client
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
        process.enter { client?.willTerminate() }
        pending.removeAll()
        device.terminate()
    }

    // MARK: The end

    /// Brings the link back, launches the app once more and waits until nothing is under way.
    func settle() {
        isSettling = true
        frames = []
        waiting = .time
        terminate()
        totals.journeyEnd = device.lane.now
        device.beginSettling { [self] in
            isInStep = true
            launch()
            isInStep = false
            guard device.process != nil else { return judge() }
            device.lane.schedule(after: cell.settleLimit) { [weak self] in self?.judge() }
            device.whenQuiet { [weak self] in self?.judge() }
        }
    }

    private func judge() {
        if isJudged { return }
        isJudged = true
        if let alarm { device.lane.cancel(alarm.ticket) }
        device.process?.record(.settled)
        let held = goodsHeld()
        let record = UserRecord(
            user: device.user, history: device.takeHistory(), held: held, counts: device.counts, totals: totals,
            callbackTimes: device.callbackTimes)
        device.shutDown()
        client = nil
        cell.judge(record)
    }

    /// Goods of every product, in the catalog's order, as durable storage has them.
    func goodsHeld() -> [Int] {
        let held = client?.holdings() ?? [:]
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
    var unknownSteps = 0
    /// The journey never let time pass, and was broken off.
    var isSpinning = false
    var expectationsMet = 0
    var expectationsMissed = 0
    var launchDurations: [Span] = []
    /// When the last journey ended and settling began.
    var journeyEnd = Instant.start
}

/// Everything the judge gets of one user, beside the store's books.
struct UserRecord: Sendable {
    let user: Int
    let history: [HistoryRecord]
    let held: [Int]
    let counts: DeviceCounts
    let totals: UserTotals
    let callbackTimes: [Int64]
}
