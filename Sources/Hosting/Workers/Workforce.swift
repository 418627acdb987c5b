// Pieces of work that share nothing, done by several workers: in this process or in others.
// Blocks the caller; for processes that is the main thread.

import Dispatch
package import Files
import Foundation
import Host
package import Simulation
import Synchronization

/// What workers do with each place, and how what comes of it gets from one process to another.
package struct Workforce<Value>: Sendable {
    let count: Int
    let housing: WorkerHousing
    /// How long calls into client code may take.
    let conditions: AppConditions
    /// The name of a place, for reports that a worker died there.
    let name: @Sendable (Int) -> String
    /// Called once in each worker: what it needs is its own. What it returns gives nil for what was broken off, as soon
    /// as its argument says so.
    let work: @Sendable (_ isOver: @escaping @Sendable () -> Bool) -> (Int) -> Value?
    let pack: @Sendable (Value, inout Packer) -> Void
    let unpack: @Sendable (inout Unpacker) throws(TornValue) -> Value

    package init(
        count: Int, housing: WorkerHousing, conditions: AppConditions = AppConditions(),
        name: @escaping @Sendable (Int) -> String,
        work: @escaping @Sendable (_ isOver: @escaping @Sendable () -> Bool) -> (Int) -> Value?,
        pack: @escaping @Sendable (Value, inout Packer) -> Void,
        unpack: @escaping @Sendable (inout Unpacker) throws(TornValue) -> Value
    ) {
        (self.count, self.housing, self.conditions, self.name) = (count, housing, conditions, name)
        (self.work, self.pack, self.unpack) = (work, pack, unpack)
    }

    /// Does all places, the first ones first.
    ///
    /// - Parameters:
    ///   - isOver: whether to stop. Any thread.
    ///   - isEnough: whether to begin nothing more. Any thread.
    ///   - receive: called for what came of each, one at a time; of several workers in any order.
    package func run(
        _ places: Int, until isOver: @escaping @Sendable () -> Bool,
        isEnough: @escaping @Sendable () -> Bool = { false }, _ receive: @escaping (Int, Value) -> Void
    ) throws(WorkerDeath) {
        if places == 0 { return }
        switch housing {
        case .threads: runThreads(places, isOver, isEnough, receive)
        case .processes: try runProcesses(places, isOver, isEnough, receive)
        }
    }

    private func runThreads(
        _ places: Int, _ isOver: @escaping @Sendable () -> Bool, _ isEnough: @escaping @Sendable () -> Bool,
        _ receive: @escaping (Int, Value) -> Void
    ) {
        let share = Share(receive)
        DispatchQueue.concurrentPerform(iterations: min(count, places)) { [work] _ in
            let perform = work(isOver)
            while !isOver(), !isEnough() {
                let place = share.next()
                guard place < places, let value = perform(place) else { return }
                share.took(value, at: place)
            }
        }
    }

    /// What threads share.
    private final class Share: @unchecked Sendable {  // Guard: `lock`.
        private let place = Atomic<Int>(0)
        private let lock = NSLock()
        private let receive: (Int, Value) -> Void

        init(_ receive: @escaping (Int, Value) -> Void) { self.receive = receive }

        func next() -> Int { place.add(1, ordering: .relaxed).oldValue }
        func took(_ value: Value, at place: Int) { lock.withLock { receive(place, value) } }
    }

    private func runProcesses(
        _ places: Int, _ isOver: () -> Bool, _ isEnough: () -> Bool, _ receive: (Int, Value) -> Void
    ) throws(WorkerDeath) {
        // Pieces that are alike die alike: each may, some times.
        let deathsMax = max(FatalCalls.deathsStandard, 10 * places)
        let workers = WorkerProcesses(count, places: places, conditions, deathsMax: deathsMax) { [work, pack] side in
            PlaceTask(perform: work { side.isOver }, pack: pack)
        }
        workers.run(until: isOver, isEnough: isEnough) { message in
            guard message.kind == .value else { return }
            var body = Unpacker(message.body)
            if try body.flag() { receive(message.place, try unpack(&body)) }
        }
        if let death = workers.death { throw death.named(name) }
    }

    /// In a worker process, on its thread.
    private final class PlaceTask: WorkerTask {
        private let perform: (Int) -> Value?
        private let pack: (Value, inout Packer) -> Void
        private var packer = Packer()
        private let held = MemoryStatistics.threadHeldBytes()

        init(perform: @escaping (Int) -> Value?, pack: @escaping (Value, inout Packer) -> Void) {
            (self.perform, self.pack) = (perform, pack)
        }

        var isFull: Bool {
            if LostThreads.areMany { return true }
            guard let held, let now = MemoryStatistics.threadHeldBytes() else { return false }
            return now - held > GrowthMeter.limitStandard
        }

        func perform(_ place: Int, orElse: (Packer) -> Void) -> Packer {
            packer.removeAll()
            let value = perform(place)
            packer.put(value != nil)
            if let value { pack(value, &packer) }
            return packer
        }

        func end() -> Packer { Packer() }
    }
}
