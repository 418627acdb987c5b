// The device that StoreKit's static entry points fall back on when no harness runs: a plain unit test.
// Guard: made once; afterwards like any device, on the main queue.

import CatalogFile
import Foundation
package import Simulation

/// One device over the process's main queue, on the wall clock, with an App Store of its own.
///
/// It sells what the StoreKit configuration file named by the environment variable `STAMPEDE_CATALOG` lists,
/// and nothing without one.
package enum StandaloneDevice {
    /// Its process, for a caller that no other device could be found for.
    package static func process(for call: StaticString) -> AppProcess {
        UnattributedCalls.note(call)
        return shared.process
    }

    static var device: Device { shared.process.device }
    static var store: AppStore { shared.store }

    package static let catalogVariable = "STAMPEDE_CATALOG"

    static let user = 0

    private struct Standalone: Sendable {
        let process: AppProcess
        let store: AppStore
        let wheel: TimingWheel
    }

    private static let shared: Standalone = {
        let timeline = WallTimeline()
        let wheel = timeline.makeWheel()
        let lane = timeline.makeLane(wheel: wheel, queue: .main)
        let store = AppStore(
            lane: timeline.makeLane(wheel: wheel), catalog: catalog(), conditions: StoreConditions(),
            behaviour: StoreBehaviour(), buyers: BuyerBehaviour(), seed: 1, cell: 0, users: user..<user + 1,
            firstTransaction: 0, isForTests: true)
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
    /// The process that client code runs for, else the standalone device's; while a harness runs it is noted that `call`
    /// could not be attributed.
    package static func found(for call: StaticString) -> AppProcess { found ?? StandaloneDevice.process(for: call) }
}
