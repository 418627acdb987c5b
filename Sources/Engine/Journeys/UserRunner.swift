// One simulated user: follows a journey step by step.
// Guard: the device's lane.

import Clients
import Scenario
import Simulation
import StoreKit

final class UserRunner: @unchecked Sendable {
    let device: Device
    unowned let cell: Cell
    var chance: RandomStream
    private var relaunchChance: RandomStream

    private var frames: [Frame] = []
    private var journey: [Step] = []
    private var repetition = Repetition.times(0, until: .start)
    private var iterationsLeft = 0
    /// The client of the latest launch; its process may have ended.
    var client: (any StoreClient)?

    var pending: [PendingRequest] = []
    var nextRequest = 1
    var lastAnswer: AnswerCode?
    var totals = UserTotals()

    var waiting = Waiting.nothing
    private var deadline = Instant.never
    private var alarm: (ticket: Ticket, due: Instant)?
    private var isInStep = false
    private var crashedInStep = false
    private var failedLaunches = 0
    private var isJudged = false

    /// Launches in a row that may crash before the step that needed one is skipped.
    private static let failedLaunchesMax = 1_000

    private struct Frame {
        let steps: [Step]
        var next = 0
        var remaining: Int
    }

    enum Waiting: Equatable {
        case nothing
        case time
        /// For these requests to be answered.
        case requests([Int])
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

    func begin(_ steps: [Step], repetition: Repetition) {
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
        while let step = currentStep() {
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
        iterationEnded()
    }

    private func currentStep() -> Step? {
        while let frame = frames.last {
            if frame.next < frame.steps.count { return frame.steps[frame.next] }
            if frame.remaining > 1 {
                frames[frames.count - 1].next = 0
                frames[frames.count - 1].remaining -= 1
            } else {
                frames.removeLast()
            }
        }
        return nil
    }

    func push(_ steps: [Step], times: Int) {
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
        waiting = .requests(requests)
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
            guard case .requests = waiting else { return }
            if device.lane.now < deadline { return setAlarm() }
            totals.unknownSteps += 1
            resume()
        }
        alarm = (ticket, due)
    }

    /// An answer came: goes on if it was the last one waited for.
    func answered(_ number: Int) {
        pending.removeAll { $0.number == number }
        guard case .requests(let awaited) = waiting else { return }
        if awaited.contains(where: { number in pending.contains { $0.number == number } }) { return }
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
        guard case .requests = waiting else { return }
        totals.unknownSteps += 1
        relaunchLater()
    }

    // MARK: The app

    /// Launches the app; one that runs is ended first.
    func launch() {
        terminate()
        let began = cell.measuresLaunches ? device.lane.now : .start
        let process = device.launch()
        let environment = AppEnvironment(process: process, products: cell.products, options: cell.clientOptions)
        process.enter {
            let client = cell.client.init(environment: environment)
            self.client = client
            process.residents[ObjectIdentifier(UserRunner.self)] = client
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
        frames = []
        waiting = .time
        terminate()
        totals.journeyEnd = device.lane.now
        device.beginSettling()
        isInStep = true
        launch()
        isInStep = false
        guard device.process != nil else { return judge() }
        device.lane.schedule(after: cell.settleLimit) { [weak self] in self?.judge() }
        device.whenQuiet { [weak self] in self?.judge() }
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
