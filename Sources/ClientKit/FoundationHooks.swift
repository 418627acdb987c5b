// What client code under the virtual clock asks Foundation for, and gets from its device.
// Called by the thread that runs client code.

internal import CRuntime
import Dispatch
import Foundation
import Simulation
import StoreKit

enum FoundationHooks {
    /// Puts them in place, once in a process and before any client code runs.
    static func install() { _ = installed }

    private static let installed: Void = {
        var calls = stampede_foundation()
        calls.standard_defaults = { Unmanaged.passRetained(CurrentDevice.defaults).toOpaque() }
        calls.main_operation_queue = { Unmanaged.passRetained(CurrentDevice.mainOperationQueue).toOpaque() }
        calls.add_timer = { timer in
            guard let timer else { return }
            schedule(Unmanaged<Timer>.fromOpaque(timer).takeUnretainedValue())
        }
        stampede_foundation_install(&calls)
        ReceiptPlace.find = { CurrentDevice.appStoreReceiptURL }
    }()

    /// Has a timer fire on the main queue when it is due, and again if it repeats.
    private static func schedule(_ timer: Timer) {
        nonisolated(unsafe) let timer = timer
        let delay = max(0, timer.fireDate.timeIntervalSinceNow)
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) {
            guard timer.isValid else { return }
            timer.fire()
            guard timer.isValid, timer.timeInterval > 0 else { return }
            timer.fireDate = timer.fireDate.addingTimeInterval(timer.timeInterval)
            schedule(timer)
        }
    }
}
