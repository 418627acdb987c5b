// Runs random programs one after the other on a device, each held against the oracle.
// Confined to the thread that made it.

import Dispatch
import Foundation
import Simulation

/// A device under the virtual clock with a launched app.
package final class ProgramDevice {
    package let timeline = VirtualTimeline()
    package let device: Device

    /// - Parameter effect: of each launch's, the one before which it crashes; nil: none.
    package init(crashingBefore effect: Int? = nil, servers: [ServerStub] = [], link: LinkConditions = .init()) {
        device = .ofPrograms(
            timeline, .ofPrograms(timeline, users: 1, servers: servers), user: 0, crashingBefore: effect, link: link)
        _ = device.launch()
    }

    /// Runs client code, then everything that follows from it. False if the device never comes to rest.
    package func run(_ body: @escaping () -> Void) -> Bool {
        guard let process = device.process else { return false }
        device.schedule { process.enter(.launch, body) }
        var isQuiet = false
        device.whenQuiet { isQuiet = true }
        return timeline.run(until: { isQuiet }, patience: .zero)
    }
}

extension SimulatedAppStore {
    /// One that sells nothing.
    static func ofPrograms(_ lane: Lane, users: Int, servers: [ServerStub] = []) -> SimulatedAppStore {
        let store = SimulatedAppStore(
            lane: lane, catalog: .empty, conditions: StoreConditions(), behaviour: StoreBehaviour(),
            buyers: BuyerBehaviour(), seed: 1, cell: 0, users: 0..<users, stubs: servers)
        for user in 0..<users { store.openAccount(user: user, owned: [], unfinished: []) }
        return store
    }
}

extension Device {
    /// One on which nothing else goes wrong.
    static func ofPrograms(
        _ lane: Lane, _ store: SimulatedAppStore, user: Int, crashingBefore effect: Int? = nil,
        link: LinkConditions = .init()
    ) -> Device {
        Device(
            lane: lane, store: store, user: user, link: link, app: AppConditions(),
            crashFaults: effect.map { [CrashFault(share: .all, moment: .effect($0))] } ?? [], seed: 1)
    }
}

/// Programs of one seed.
package final class ProgramTrial {
    private let seed: UInt64
    /// Devices do not live longer than so many programs.
    private static let programsOfDevice = 200
    /// What is wrong with the program that failed.
    package private(set) var failure: String?
    /// Of all that happened, in its order.
    package private(set) var digest: UInt64 = 0

    package init(seed: UInt64) { self.seed = seed }

    /// Stops at the first failure. `onHang` does not return.
    package func run(_ numbers: Range<Int>, onHang: ((String) -> Never)? = nil) {
        var next = numbers.lowerBound
        while next < numbers.upperBound, failure == nil {
            let end = min(next + Self.programsOfDevice, numbers.upperBound)
            runOnOneDevice(next..<end, onHang)
            next = end
        }
    }

    private func runOnOneDevice(_ numbers: Range<Int>, _ onHang: ((String) -> Never)?) {
        let bench = ProgramDevice()
        var next = numbers.lowerBound
        if let onHang {
            bench.device.onHang = { [seed] in
                onHang("seed \(seed), program \(next - 1): waits for ever, for \($0.hang.wait)")
            }
        }
        var oracle: Oracle?
        var execution: Execution?
        func goOn() {
            if let oracle { close(oracle, number: next - 1, isAlive: bench.device.process?.isAlive ?? false) }
            guard failure == nil, next < numbers.upperBound, let process = bench.device.process else {
                return next = .max
            }
            let program = Program(seed: seed, number: next)
            next += 1
            let timeline = bench.timeline
            let judge = Oracle(program) { timeline.now.nanoseconds }
            oracle = judge
            bench.device.schedule {
                process.enter(.launch) {
                    execution = Execution(program, judge)
                    execution?.begin()
                }
            }
            bench.device.whenQuiet(goOn)
        }
        goOn()
        let isDone = bench.timeline.run(until: { next == .max }, patience: .zero)
        if !isDone, failure == nil { failure = "seed \(seed), program \(next - 1): never comes to rest" }
        execution = nil
    }

    private func close(_ oracle: Oracle, number: Int, isAlive: Bool) {
        oracle.isOver()
        digest = digest &* 31 &+ oracle.digest
        if let found = isAlive ? oracle.failure : "the app crashed" {
            failure = "seed \(seed), program \(number): \(found)"
        }
    }
}
