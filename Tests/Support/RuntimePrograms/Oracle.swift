// What must hold of a program's run, whatever a scheduler does within the freedom that Dispatch leaves it.
// Told of each thing that client code does; knows nothing of the runtime. Guard: the baton.

final class Oracle {
    private let program: Program
    private let clock: () -> Int64
    private(set) var failure: String?
    private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    private var latest: Int64

    private enum State { case unknown, inLine, runs, done, cancelled }

    private struct Entry {
        var state = State.unknown
        var queue = 0
        var isBarrier = false
        var group: Int?
        /// When it came in line, or will; among those of one moment in the order of `place`.
        var time: Int64 = 0
        /// Nil: before or after others of the same moment.
        var place: Int?
        /// Who put it in line waits, and has not come back.
        var isWaitedFor = false
        /// What is put in line when it has run.
        var notice: Int?
        /// It may come at any time: its block was cancelled.
        var isAnytime = false
    }

    private struct Line {
        var running = 0
        var runsBarrier = false
        var suspensions = 0
        var waiting: [Int] = []
    }

    /// A wait with an end.
    private struct Wait {
        var until: Int64
        var isWoken = false
        var isOver = false
    }

    private struct Group {
        var count = 0
        var notices: [(block: Int, queue: Int)] = []
        var waits: [Int] = []
    }

    private struct TimerState {
        var queue = 0
        var start: Int64 = 0
        var interval: Int64 = 1
        var fired = 0
        var isStarted = false
        var isCancelled = false
        var isTold = false
        /// Its handler has begun and not ended.
        var isRunning = false
        /// When its handler ended last.
        var ended: Int64 = -1

        func due(by time: Int64) -> Int { time < start ? 0 : Int((time - start) / interval) + 1 }
    }

    private var entries: [Entry]
    private var lines: [Line]
    private var groups: [Group]
    private var values: [Int]
    private var waitsOfSemaphores: [[Int]]
    private var waits: [Wait] = []
    private var timers: [TimerState]
    private var places = 0

    init(_ program: Program, clock: @escaping () -> Int64) {
        self.program = program
        self.clock = clock
        latest = clock()
        entries = Array(repeating: Entry(), count: program.blockCount)
        lines = Array(repeating: Line(), count: program.queues.count)
        groups = Array(repeating: Group(), count: program.groupCount)
        values = program.semaphores
        waitsOfSemaphores = Array(repeating: [], count: values.count)
        timers = Array(repeating: TimerState(), count: program.timerCount)
    }

    private func fail(_ text: @autoclosure () -> String) { if failure == nil { failure = text() } }

    /// Something happens: `kind` and `number` say what.
    private func note(_ kind: UInt64, _ number: Int) -> Int64 {
        let now = clock()
        if now < latest { fail("time went back") }
        if now > latest { looksForIdleness() }
        latest = now
        for part in [UInt64(bitPattern: now), kind, UInt64(number)] { digest = (digest ^ part) &* 0x100_0000_01B3 }
        return now
    }

    private func inChain(of queue: Int, _ body: (Int) -> Void) {
        var next: Int? = queue
        while let place = next {
            body(place)
            next = program.queues[place].target
        }
    }

    // MARK: Lines

    func putInLine(_ block: Int, on queue: Int, isBarrier: Bool = false, group: Int? = nil, isWaitedFor: Bool = false) {
        let now = note(1, block)
        places += 1
        entries[block] = Entry(
            state: .inLine, queue: queue, isBarrier: isBarrier, group: group, time: now, place: places,
            isWaitedFor: isWaitedFor, notice: entries[block].notice)
        if let group { groups[group].count += 1 }
        lines[queue].waiting.append(block)
    }

    func putOff(_ block: Int, on queue: Int, delay: Int) {
        let now = note(2, block)
        entries[block] = Entry(state: .inLine, queue: queue, time: now + Int64(delay) * 1_000_000)
        lines[queue].waiting.append(block)
    }

    /// `notice` is put in line when `block` has run, or been passed over.
    func expects(_ notice: Int, on queue: Int, after block: Int) {
        entries[block].notice = notice
        entries[notice].queue = queue
    }

    private func isBefore(_ one: Entry, _ other: Entry) -> Bool {
        if one.isAnytime || other.isAnytime { return false }
        if one.time != other.time { return one.time < other.time }
        guard let place = one.place, let otherPlace = other.place else { return false }
        return place < otherPlace
    }

    private func isFree(_ queue: Int, isBarrier: Bool) -> Bool {
        var isFree = !isBarrier || lines[queue].running == 0
        inChain(of: queue) { place in
            let line = lines[place]
            if line.suspensions > 0 || line.runsBarrier { isFree = false }
            if !program.queues[place].isConcurrent, line.running > 0 { isFree = false }
        }
        return isFree
    }

    private func occupy(_ queue: Int, isBarrier: Bool) {
        if isBarrier { lines[queue].runsBarrier = true }
        inChain(of: queue) { lines[$0].running += 1 }
    }

    private func vacate(_ queue: Int, isBarrier: Bool) {
        if isBarrier { lines[queue].runsBarrier = false }
        inChain(of: queue) { lines[$0].running -= 1 }
    }

    func begins(_ block: Int) {
        let now = note(3, block)
        let entry = entries[block]
        guard entry.state == .inLine else { return fail("block \(block) begins though it is \(entry.state)") }
        if now < entry.time { fail("block \(block) begins before its time") }
        if !isFree(entry.queue, isBarrier: entry.isBarrier) {
            fail("block \(block) begins on queue \(entry.queue), which is held")
        }
        lines[entry.queue].waiting.removeAll { $0 == block }
        let keepsOrder = !program.queues[entry.queue].isConcurrent || entry.isBarrier
        for other in lines[entry.queue].waiting where keepsOrder || entries[other].isBarrier {
            if isBefore(entries[other], entry) { fail("block \(block) overtakes block \(other)") }
        }
        entries[block].state = .runs
        occupy(entry.queue, isBarrier: entry.isBarrier)
    }

    func ends(_ block: Int) {
        let now = note(4, block)
        entries[block].state = .done
        vacate(entries[block].queue, isBarrier: entries[block].isBarrier)
        if let group = entries[block].group { leave(group) }
        if let notice = entries[block].notice { tell(notice, on: entries[notice].queue, at: now) }
    }

    private func tell(_ notice: Int, on queue: Int, at now: Int64, isAnytime: Bool = false) {
        places += 1
        entries[notice] = Entry(
            state: .inLine, queue: queue, time: now, place: places, notice: entries[notice].notice, isAnytime: isAnytime
        )
        lines[queue].waiting.append(notice)
    }

    func returns(from block: Int) {
        _ = note(5, block)
        if entries[block].state != .done { fail("the caller of block \(block) goes on before it has run") }
        entries[block].isWaitedFor = false
    }

    func cancels(_ block: Int) {
        let now = note(6, block)
        guard entries[block].state == .inLine else { return }
        entries[block].state = .cancelled
        lines[entries[block].queue].waiting.removeAll { $0 == block }
        guard let notice = entries[block].notice, entries[notice].state == .unknown else { return }
        tell(notice, on: entries[notice].queue, at: now, isAnytime: true)
    }

    func suspends(_ queue: Int) {
        _ = note(7, queue)
        lines[queue].suspensions += 1
    }

    func resumes(_ queue: Int) {
        _ = note(8, queue)
        lines[queue].suspensions -= 1
    }

    // MARK: Waiting

    func sleeps(_ milliseconds: Int) -> Int64 { note(9, milliseconds) + Int64(milliseconds) * 1_000_000 }
    func hasSlept(_ until: Int64) { if note(10, 0) != until { fail("sleeps until \(clock()), not \(until)") } }

    private func beginWait(_ timeout: Int, isWoken: Bool) -> Int {
        waits.append(Wait(until: latest + Int64(timeout) * 1_000_000, isWoken: isWoken))
        return waits.count - 1
    }

    func waits(for semaphore: Int, timeout: Int) -> Int {
        _ = note(11, semaphore)
        let wait = beginWait(timeout, isWoken: values[semaphore] > 0)
        if values[semaphore] > 0 { values[semaphore] -= 1 } else { waitsOfSemaphores[semaphore].append(wait) }
        return wait
    }

    func signals(_ semaphore: Int) {
        _ = note(12, semaphore)
        waitsOfSemaphores[semaphore].removeAll { waits[$0].isOver }
        if waitsOfSemaphores[semaphore].isEmpty { return values[semaphore] += 1 }
        waits[waitsOfSemaphores[semaphore].removeFirst()].isWoken = true
    }

    func waits(forGroup group: Int, timeout: Int) -> Int {
        _ = note(13, group)
        let wait = beginWait(timeout, isWoken: groups[group].count == 0)
        if groups[group].count > 0 { groups[group].waits.append(wait) }
        return wait
    }

    func hasWaited(_ wait: Int, isWoken: Bool) {
        let now = note(isWoken ? 14 : 15, wait)
        if isWoken != waits[wait].isWoken { fail("wait \(wait) ends with \(isWoken ? "success" : "a time-out")") }
        if !isWoken, now != waits[wait].until { fail("wait \(wait) times out at \(now), not \(waits[wait].until)") }
        waits[wait].isOver = true
    }

    // MARK: Groups

    func enters(_ group: Int) {
        _ = note(16, group)
        groups[group].count += 1
    }

    func leaves(_ group: Int) {
        _ = note(17, group)
        leave(group)
    }

    private func leave(_ group: Int) {
        groups[group].count -= 1
        if groups[group].count == 0 { becomesEmpty(group) }
    }

    private func becomesEmpty(_ group: Int) {
        for wait in groups[group].waits where !waits[wait].isOver { waits[wait].isWoken = true }
        groups[group].waits = []
        let notices = groups[group].notices
        groups[group].notices = []
        for notice in notices { tell(notice.block, on: notice.queue, at: latest) }
    }

    func wantsNotice(_ block: Int, of group: Int, on queue: Int) {
        _ = note(18, block)
        groups[group].notices.append((block, queue))
        if groups[group].count == 0 { becomesEmpty(group) }
    }

    // MARK: Timers

    func startsTimer(_ timer: Int, on queue: Int, start: Int, interval: Int) {
        let now = note(19, timer)
        timers[timer] = TimerState(
            queue: queue, start: now + Int64(start) * 1_000_000, interval: Int64(interval) * 1_000_000, isStarted: true)
    }

    func fires(_ timer: Int, data: Int) {
        let now = note(20, timer)
        let state = timers[timer]
        if state.isCancelled { fail("timer \(timer) fires though it is cancelled") }
        if state.isRunning { fail("timer \(timer) fires while its handler runs") }
        if !isFree(state.queue, isBarrier: false) {
            fail("timer \(timer) fires on queue \(state.queue), which is held")
        }
        let expected = max(1, state.due(by: now - 1) - state.fired)...max(1, state.due(by: now) - state.fired)
        if !expected.contains(data) || state.due(by: now) < state.fired + data {
            fail("timer \(timer) has fired \(data) times, not \(expected)")
        }
        timers[timer].fired += data
        timers[timer].isRunning = true
        occupy(state.queue, isBarrier: false)
    }

    func hasFired(_ timer: Int) {
        timers[timer].ended = note(21, timer)
        timers[timer].isRunning = false
        vacate(timers[timer].queue, isBarrier: false)
    }

    func cancelsTimer(_ timer: Int) {
        _ = note(22, timer)
        timers[timer].isCancelled = true
    }

    func isToldOfCancellation(_ timer: Int) {
        let now = note(23, timer)
        let state = timers[timer]
        if !state.isCancelled || state.isRunning { fail("timer \(timer) is told of its end too early") }
        if state.isTold { fail("timer \(timer) is told of its end twice") }
        // Together with its last firing: whatever may have been suspended during that.
        if now != state.ended, !isFree(state.queue, isBarrier: false) {
            fail("timer \(timer) is told of its end on queue \(state.queue), which is held")
        }
        timers[timer].isTold = true
    }

    // MARK: Nothing is left undone

    /// No time passes while something could be done.
    private func looksForIdleness() {
        for wait in waits where !wait.isOver && wait.isWoken { fail("a thread is not woken (until \(wait.until))") }
        for wait in waits where !wait.isOver && wait.until < latest { fail("a thread waits longer than \(wait.until)") }
        for queue in lines.indices { looksForIdleness(on: queue) }
        for (number, timer) in timers.enumerated() where timer.isStarted && !timer.isTold && !timer.isRunning {
            let isDue = timer.isCancelled || timer.due(by: latest) > timer.fired
            let isBehind = lines[timer.queue].waiting.contains { entries[$0].time <= latest && entries[$0].isBarrier }
            if isDue, !isBehind, isFree(timer.queue, isBarrier: false) { fail("timer \(number) is late") }
        }
        for (number, entry) in entries.enumerated() where entry.state == .done && entry.isWaitedFor {
            fail("the caller of block \(number) does not come back")
        }
    }

    private func looksForIdleness(on queue: Int) {
        let due = lines[queue].waiting.filter { entries[$0].time <= latest && !entries[$0].isAnytime }
        for block in due where isFree(queue, isBarrier: entries[block].isBarrier) {
            let keepsOrder = !program.queues[queue].isConcurrent
            let isFirst = due.allSatisfy { other in
                other == block || keepsOrder || !(entries[other].isBarrier || entries[block].isBarrier)
            }
            if isFirst { fail("block \(block) could run on queue \(queue), and does not") }
        }
        // Of blocks and barriers mixed in one line, the first one at least.
        if let first = due.min(by: { isBefore(entries[$0], entries[$1]) }),
            due.allSatisfy({ $0 == first || isBefore(entries[first], entries[$0]) }),
            isFree(queue, isBarrier: entries[first].isBarrier)
        {
            fail("block \(first) is first in line on queue \(queue), and does not run")
        }
    }

    /// The device is at rest.
    func isOver() {
        _ = note(24, 0)
        looksForIdleness()
        for (number, entry) in entries.enumerated() where entry.state == .inLine || entry.state == .runs {
            fail("block \(number) is \(entry.state) at the end")
        }
        for wait in waits where !wait.isOver { fail("a thread waits at the end (until \(wait.until))") }
        for (number, timer) in timers.enumerated() where timer.isStarted && !timer.isTold {
            fail("timer \(number) was not told of its end")
        }
    }
}
