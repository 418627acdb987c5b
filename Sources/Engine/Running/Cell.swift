// One cell of a run: its slice of the store, its users, and the load that starts them.
// Guard: built on one thread; then users on their devices' lanes, everything else on the store's lane.

import ClientKit
import Hosting
import Judgement
import Metrics
import Scenario
import Simulation

final class Cell: @unchecked Sendable {
    let index: Int
    let seed: UInt64
    let store: SimulatedAppStore
    let setup: CellSetup
    let products: [AppEnvironment.Product]
    let app: AppConditions
    let client: any StoreClient.Type
    /// How long after the final relaunch a device that never falls silent is judged anyway.
    let settleLimit: Span
    /// Real launch times say something only where time is real.
    let measuresLaunches: Bool

    private let judge: any UserJudge
    /// Where the judge works; under the virtual clock the cell's one lane.
    private let judgeLane: Lane
    private let onlyUser: Int?
    private let meter: LiveMeter?
    /// The counts that watchers of the run see; nil if the run is not watched.
    private let entryCounts: LiveCounts?
    let journeyCounts: LiveCounts?
    private var users: [UserRunner?] = []
    private var hasBegun: [Bool] = []
    private var droppedIterations: [Int]
    /// Users whom no arrival and no shared iteration ever needed: they did nothing, and are not judged.
    private(set) var idleUsers = 0
    private let firstUser: Int
    private var entries: [EntrySchedule] = []
    /// The users of each entry.
    private let ranges: [Range<Int>]
    /// Of each entry, whether another waits for its end.
    private let hasSuccessors: [Bool]
    /// Users that have not been judged. On the store's lane.
    private(set) var unjudged = 0
    /// The load ends before its time. On the store's lane.
    private var isEnding = false
    /// Called on the store's lane when the last user has been judged.
    var onDone: (() -> Void)?
    /// How long requests waited for the store; on its lane.
    private var waits = TimeSeries()
    /// Called in the middle of an event when a client waits for ever.
    var onHang: ((HungClient) -> Never)?
    /// Whether one did, of those that `endsOnHang` looks after.
    private(set) var isHung = false
    /// Called when a user's journeys are over and only settling is left.
    var onSettling: (() -> Void)?

    /// - Parameters:
    ///   - makeLanes: lanes for the devices of one user, of which one runs at a time; under the virtual clock always
    ///     the same one.
    ///   - judgeLane: where the judge works.
    ///   - script: what goes wrong for the only user of the cell, in a trial.
    ///   - storeLane: where the store works, and the load is dealt out.
    ///   - meter: looks at journeys before their users are judged.
    ///   - board: shows how far the run has come.
    init(
        index: Int, options: RunOptions, plan: CellPlan, setup: CellSetup, judge: any UserJudge, judgeLane: Lane,
        storeLane: Lane, script: MishapScript? = nil, meter: LiveMeter? = nil, board: RunBoard? = nil,
        makeLanes: (Int) -> [Lane]
    ) {
        self.meter = meter
        (entryCounts, journeyCounts) = (board?.entryCounts, board?.journeyCounts)
        precondition(script == nil || plan.users(of: index).count == 1, "a script is for one user")
        self.judgeLane = judgeLane
        let scenario = options.scenario
        self.index = index
        self.judge = judge
        seed = scenario.seed
        onlyUser = options.onlyUser
        self.setup = setup
        client = options.client
        app = scenario.app
        measuresLaunches = scenario.clock == .wall
        settleLimit = scenario.clock == .wall ? .seconds(60) : .hours(24)
        products = setup.products
        var conditions = setup.conditions
        conditions.capacity = plan.capacity(conditions.capacity, of: index)
        ranges = plan.entries(of: index)
        hasSuccessors = scenario.load.indices.map { place in scenario.load.contains { $0.after == place } }
        droppedIterations = Array(repeating: 0, count: scenario.load.count)
        let population = plan.users(of: index)
        firstUser = population.lowerBound
        store = SimulatedAppStore(
            lane: storeLane, catalog: setup.catalog, conditions: conditions, behaviour: options.behaviour,
            buyers: scenario.buyers, seed: scenario.seed, cell: index, users: population, defects: options.storeDefects,
            hasOutsideActions: setup.hasOutsideActions, hasSecondAccounts: setup.hasSecondAccounts,
            validator: setup.validator, stubs: setup.stubs)
        populate(options, population, script, makeLanes)
        if conditions.capacity != nil {
            waits.declareQueue()
            store.onWaited = { [unowned self] in waits.queued(from: $0.nanoseconds, to: $1.nanoseconds) }
        }
        let before = plan.entryUsers(before: index)
        for (place, entry) in scenario.load.enumerated() {
            entries.append(
                EntrySchedule(
                    entry, users: ranges[place], usersBefore: before[place], cell: index, cellCount: plan.cellCount))
        }
    }

    private func populate(
        _ options: RunOptions, _ population: Range<Int>, _ script: MishapScript?, _ makeLanes: (Int) -> [Lane]
    ) {
        let scenario = options.scenario
        users.reserveCapacity(population.count)
        for user in population {
            var chance = RandomStream(seed: seed, user: user, purpose: .population)
            // Drawn for every product in order,
            // so that a changed share of one product does not change the draws of any other.
            let owned = scenario.population.owns.filter { chance.hits($0.share) }.map(\.product)
            let unfinished = scenario.population.unfinishedAtStart.filter { chance.hits($0.share) }.map(\.product)
            let isAllowed = store.openAccount(user: user, owned: owned, unfinished: unfinished)
            let count = scenario.population.devicesPerUser.map { Int($0.draw(&chance)) } ?? 1
            let devices = makeLanes(count).enumerated().map { place, lane in
                Device(
                    lane: lane, store: store, user: user, number: place + 1, link: scenario.network,
                    app: scenario.app, crashFaults: setup.crashFaults, seed: seed, arePaymentsAllowed: isAllowed,
                    delivery: scenario.delivery, script: script)
            }
            if let tell = options.onClientLine {
                for device in devices {
                    let number = count > 1 ? device.number : nil
                    device.log.onLine = { tell(ClientOutputLine(user: user, device: number, line: $0)) }
                }
            }
            for device in devices { device.onHang = { [unowned self] in hangs($0) } }
            users.append(UserRunner(devices: devices, cell: self))
        }
        unjudged = population.count
        hasBegun = Array(repeating: false, count: population.count)
    }

    /// A client that waits for ever is judged, and ends the cell: `runApart` returns then. Before `start`.
    func endsOnHang(_ clock: VirtualClock, _ judge: any SeriesJudge) {
        onHang = { [unowned self] client in
            isHung = true
            LostThreads.add()
            judge.absorb(hang: LostClient(client).input)
            clock.breakOff()
        }
    }

    private func hangs(_ client: HungClient) -> Never {
        if let onHang { onHang(client) }
        fatalError("The client of user \(client.lost.process.device.user) waits for ever, in \(client.lost.call).")
    }

    /// Starts the load. On the store's lane.
    func start() {
        CallBoard.cellBegins()
        for place in entries.indices where entries[place].after == nil { begin(place) }
        if unjudged == 0 { finish() }
    }

    // MARK: Load

    private func begin(_ place: Int) {
        if isEnding { return }
        let entry = entries[place]
        let wait = wait(until: entry.start)
        switch entry.opening {
        case .together: for user in entry.users { start(user, entry: place, after: wait) }
        case .dealt: store.lane.schedule(after: wait) { [self] in dealIterations(place) }
        case .arriving(let duration): beginArrivals(place, for: duration)
        }
        guard let breakOff = entry.breakOff else { return }
        store.lane.schedule(after: self.wait(until: breakOff)) { [self] in
            for user in entry.users {
                guard let runner = users[user - firstUser] else { continue }
                runner.home.lane.send { runner.breakOff() }
            }
        }
    }

    /// Ends the load early: users begin nothing more, journeys under way are broken off, and every user is judged.
    /// On the store's lane.
    func end() {
        isEnding = true
        for place in entries.indices { closeArrivals(place) }
        for runner in users.compactMap(\.self) { runner.home.lane.send { runner.cutShort() } }
    }

    /// Reports to the collector how client code ended for users who cannot be judged any more. When no event runs.
    func tellDeaths(to collector: Collector) {
        for device in users.compactMap(\.self).flatMap({ $0.userDevices.map(\.device) })
        where device.counts.exceptions > 0 {
            var input = AuditInput(ofEvents: device.events, store.catalog)
            (input.log, input.writtenPlaces) = (device.takeLog(), device.writtenPlaces)
            input.names = device.names
            collector.absorb(
                deathsOf: device.user, device: device.number, input, cell: index, entry: entry(of: device.user))
        }
    }

    /// A journey has ended, and its user goes on. Called on the user's lane.
    func journeyEnded(_ runner: UserRunner) {
        guard let meter else { return }
        let entry = entry(of: runner.user)
        for (place, userDevice) in runner.userDevices.enumerated() {
            meter.observe(userDevice.takeLatest(), of: SampleOrigin(entry: entry, device: place + 1), store.catalog)
        }
    }

    private func wait(until instant: Instant) -> Span { max(.zero, instant - store.lane.now) }

    /// A user has done its last journey. Called on the user's lane.
    func journeysEnded(_ user: Int) {
        onSettling?()
        let place = entry(of: user)
        if hasSuccessors[place] { store.lane.send { [self] in userEnded(place) } }
    }

    private func userEnded(_ place: Int) {
        guard hasSuccessors[place], entries[place].userEnded() else { return }
        for next in entries.indices where entries[next].after == place {
            entries[next].predecessorEnded(at: store.lane.now)
            begin(next)
        }
    }

    func isEntitlement(_ product: ProductIndex) -> Bool { setup.catalog[product].kind.isEntitlement }

    /// Whether the store sold a product at that moment. Any thread.
    func sells(_ identifier: String, at instant: Instant) -> Bool {
        guard let product = setup.catalog.index(of: identifier) else { return false }
        return !store.isWithdrawn(product, at: instant)
    }

    /// The load entry that a user belongs to. Any thread.
    func entry(of user: Int) -> Int { ranges.firstIndex { $0.contains(user) } ?? 0 }

    /// Gives every user one of the iterations that they share, as far as these go.
    private func dealIterations(_ place: Int) {
        if isEnding { return }
        for user in entries[place].users {
            if entries[place].takeIteration(at: store.lane.now) {
                start(user, entry: place, after: .zero)
            } else {
                neverNeeded(user, entry: place)
            }
        }
    }

    /// The run never needed this user.
    private func neverNeeded(_ user: Int, entry place: Int) {
        idleUsers += 1
        userEnded(place)
        judged(user)
    }

    private func beginArrivals(_ place: Int, for duration: Span) {
        let entry = entries[place]
        entries[place].openPool()
        store.lane.schedule(after: wait(until: entry.start)) { [self] in
            arrive(place) { [self] in
                store.lane.schedule(after: wait(until: entry.start + duration)) { [self] in closeArrivals(place) }
            }
        }
    }

    private func start(_ user: Int, entry place: Int, after delay: Span) {
        if isEnding { return }
        guard let runner = users[user - firstUser] else { return }
        hasBegun[user - firstUser] = true
        let entry = entries[place]
        let repetition = entry.repetition(of: user, entry: place)
        runner.home.lane.send(after: delay) { [self] in
            runner.begin(setup.journeys[entry.journey], repetition: repetition)
        }
    }

    /// The next planned arrival of an open load, and the one after it. On the wall clock arrivals may come late, but none
    /// is forgotten: only after the last is `then` called.
    private func arrive(_ place: Int, then: @escaping () -> Void) {
        if isEnding { return }
        guard let arrival = entries[place].nextArrival() else { return then() }
        store.lane.schedule(after: wait(until: arrival)) { [self] in
            if isEnding { return }
            if let user = entries[place].takeUser() {
                start(user, entry: place, after: .zero)
            } else {
                droppedIterations[place] += 1
            }
            arrive(place, then: then)
        }
    }

    /// A user has ended its journey: it takes the next of the iterations that users share, or waits for the next
    /// arrival. Called on the user's lane.
    func returned(_ runner: UserRunner, entry place: Int) {
        store.lane.send { [self] in
            if entries[place].takeIteration(at: store.lane.now) {
                return start(runner.user, entry: place, after: .zero)
            }
            if !entries[place].putBack(runner.user) { runner.home.lane.send { runner.settle() } }
        }
    }

    private func closeArrivals(_ place: Int) {
        for user in entries[place].closePool() {
            guard let runner = users[user - firstUser] else { continue }
            if hasBegun[user - firstUser] {
                runner.home.lane.send { runner.settle() }
            } else {
                neverNeeded(user, entry: place)
            }
        }
    }

    // MARK: Judging

    /// A user's device has settled: take its books and judge. Called on the user's lane.
    func judge(_ settled: SettledUser) {
        store.lane.send { [self] in
            let statement = store.closeAccount(user: settled.user)
            judgeLane.send { [self] in
                if onlyUser == nil || onlyUser == settled.user {
                    judge.absorb(UserRecord(settled, statement, of: self))
                }
                store.lane.send { [self] in judged(settled.user) }
            }
        }
    }

    private func judged(_ user: Int) {
        entryCounts?.userDone(entry: entry(of: user))
        users[user - firstUser] = nil
        unjudged -= 1
        if unjudged == 0 { finish() }
    }

    private func finish() {
        let dropped = zip(droppedIterations, entries).map { $0 + $1.iterationsLeft }
        let summary = CellSummary(droppedIterations: dropped, queueWaits: waits)
        judgeLane.send { [self] in
            judge.cellEnded(summary)
            store.lane.send { [self] in
                let done = onDone.take()
                done?()
            }
        }
    }
}
