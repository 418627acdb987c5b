// One device under either clock, with a launched app, for code in this module: the glue file is part of it.

import ClientKit
import Foundation
import Simulation
import Testing

/// What both kinds of device are made of.
private func makeDevice(lane: Lane, storeLane: Lane, app: AppConditions = AppConditions()) -> Device {
    let store = SimulatedAppStore(
        lane: storeLane, catalog: .empty, conditions: StoreConditions(), behaviour: StoreBehaviour(),
        buyers: BuyerBehaviour(), seed: 1, cell: 0, users: 0..<1)
    store.openAccount(user: 0, owned: [], unfinished: [])
    return Device(
        lane: lane, store: store, user: 0, link: LinkConditions(), app: app, crashFaults: [], seed: 1)
}

/// Confined to the test that made it.
final class VirtualBench {
    let timeline = VirtualTimeline()
    let device: Device

    init(app: AppConditions = AppConditions()) {
        device = makeDevice(lane: timeline, storeLane: timeline, app: app)
        _ = device.launch()
    }

    var process: AppProcess { device.process! }  // A test that has launched the app asks.

    /// Runs client code as an event of the device, then everything that follows from it.
    func run(_ body: @escaping () -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let process = process
        device.schedule { process.enter(.launch, body) }
        settle(sourceLocation: sourceLocation)
    }

    func settle(sourceLocation: SourceLocation = #_sourceLocation) {
        var isQuiet = false
        device.whenQuiet { isQuiet = true }
        let cameToRest = timeline.run(until: { isQuiet }, patience: .seconds(20))
        #expect(cameToRest, "the device never comes to rest", sourceLocation: sourceLocation)
    }
}

/// On a real queue.
final class WallBench: @unchecked Sendable {  // Guard: the lane's queue.
    let lane: WallLane
    let device: Device
    private let wheel: TimingWheel

    init() {
        let timeline = WallTimeline()
        wheel = timeline.makeWheel()
        lane = timeline.makeLane(wheel: wheel)
        device = makeDevice(lane: lane, storeLane: timeline.makeLane(wheel: wheel))
        onLane { _ = $0.launch() }
    }

    func onLane<Value>(_ body: (Device) -> Value) -> Value { lane.sync { body(device) } }

    /// Runs client code on the device, then waits until nothing of it is under way.
    func run(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            lane.send { [self] in
                device.process?.enter(.launch, body)
                device.whenQuiet { continuation.resume() }
            }
        }
    }
}

/// A list that any thread appends to.
final class Log: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var written: [String] = []

    var lines: [String] { lock.withLock { written } }
    func add(_ line: String) { lock.withLock { written.append(line) } }
}
