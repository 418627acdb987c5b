// Devices under the wall clock, on a pool of threads, with the runtime in force.

import Dispatch
import Simulation

/// Some devices of one timeline, each with an app that is running.
package final class WallDevices {
    private let timeline: WallTimeline
    package let devices: [Device]

    package init(_ count: Int, servers: [ServerStub] = []) {
        precondition(AppRuntime.isInForce, "the runtime does not serve client code here")
        timeline = WallTimeline(pool: ThreadPool())
        let wheel = timeline.makeWheel()
        let store = SimulatedAppStore.ofPrograms(timeline.makeLane(wheel: wheel), users: count, servers: servers)
        devices = (0..<count).map { [timeline] in .ofPrograms(timeline.makeLane(wheel: wheel), store, user: $0) }
        timeline.begin()
        onEach { _ = $0.launch() }
    }

    /// Runs client code on every device, then everything that follows from it. False if they do not come to rest.
    package func run(_ body: @escaping @Sendable (Int) -> Void) -> Bool {
        let quiet = DispatchGroup()
        for (number, device) in devices.enumerated() {
            quiet.enter()
            device.lane.send {
                guard let process = device.process else { return quiet.leave() }
                process.enter(.launch) { body(number) }
                device.whenQuiet { quiet.leave() }
            }
        }
        return quiet.wait(timeout: .now() + Self.patience) == .success
    }

    /// Does something on every device's lane, and waits for it.
    package func onEach(_ body: @escaping @Sendable (Device) -> Void) {
        let done = DispatchGroup()
        for device in devices {
            done.enter()
            device.lane.send {
                body(device)
                done.leave()
            }
        }
        done.wait()
    }

    deinit { onEach { $0.shutDown() } }

    /// Only what is broken lets it pass.
    private static let patience = DispatchTimeInterval.seconds(60)
}
