// The device that StoreKit's static entry points use when no harness runs, as in a plain unit test.
// Guard: made once; afterwards like any device, on the main queue.

import CatalogFile
import Foundation
package import Simulation

/// One device over the process's main queue, on the wall clock, with an App Store of its own.
///
/// Its store sells the products of the StoreKit configuration file that the environment variable `STAMPEDE_CATALOG`
/// names; without the variable it sells nothing.
package enum StandaloneDevice {
    /// The standalone device's process, for a caller that belongs to no other device.
    package static func process(for call: StaticString) -> AppProcess {
        UnattributedCalls.note(call)
        return shared.process
    }

    static var device: Device { shared.process.device }
    static var store: SimulatedAppStore { shared.store }

    package static let catalogVariable = "STAMPEDE_CATALOG"

    static let user = 0

    private struct Standalone: Sendable {
        let process: AppProcess
        let store: SimulatedAppStore
        let wheel: TimingWheel
    }

    private static let shared: Standalone = {
        let timeline = WallTimeline()
        let wheel = timeline.makeWheel()
        let lane = timeline.makeLane(wheel: wheel, queue: .main)
        let store = SimulatedAppStore(
            lane: timeline.makeLane(wheel: wheel), catalog: catalog(), conditions: StoreConditions(),
            behaviour: StoreBehaviour(), buyers: BuyerBehaviour(), seed: 1, cell: 0, users: user..<user + 1,
            firstTransaction: 1, isForTests: true)
        store.openAccount(user: user, owned: [], unfinished: [])
        let device = Device(
            lane: lane, store: store, user: user, link: LinkConditions(), app: AppConditions(), crashFaults: [], seed: 1
        )
        device.isStandalone = true
        return Standalone(process: device.launch(), store: store, wheel: wheel)
    }()

    private static func catalog() -> Catalog {
        guard let path = ProcessInfo.processInfo.environment[catalogVariable] else { return .empty }
        do {
            return try CatalogFile.load(path: path)
        } catch {
            FileHandle.standardError.write(Data("\(catalogVariable): \(error)\n".utf8))
            return .empty
        }
    }
}

extension CurrentProcess {
    /// The process that client code runs for, or else the standalone device's.
    /// While a harness runs, the second case is noted: `call` belongs to no simulated device.
    package static func found(for call: StaticString) -> AppProcess { found ?? StandaloneDevice.process(for: call) }
}
