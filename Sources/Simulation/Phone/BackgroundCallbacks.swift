// Callbacks beside the device's main queue (R7).
// Called on the device's lane; what is handed over runs elsewhere.

internal import CRuntime
internal import Dispatch

/// Where the calling code stands.
package enum CallbackContext {
    /// Under the wall clock.
    @TaskLocal static var isBound = false

    /// Whether StoreKit called it beside the main queue.
    package static var isBackground: Bool { stampede_is_in_background() || isBound }
}

extension Device {
    /// Whether this callback is made beside the main queue.
    package func callsBack(on queue: ClientRules.CallbackQueue) -> Bool {
        switch queue {
        case .main: return false
        case .background: return true
        case .random: return daemon.delivery.callsInBackground()
        }
    }

    /// Whether StoreKit keeps the request that was just started (R53).
    package func keeps(_ unheld: ClientRules.UnheldRequest) -> Bool {
        switch unheld {
        case .answered: return true
        case .freed: return false
        case .random: return daemon.delivery.keepsRequest()
        }
    }

    /// Runs client code on the device's callback queue, then `completion` on the lane with the real nanoseconds it took. Under the virtual clock both are
    /// events of the lane: nothing runs beside anything, but client code finds itself off its main queue all the same.
    package func callInBackground(
        _ app: any AppPort, _ kind: ClientCall, _ body: @escaping () -> Void, completion: @escaping (Int64) -> Void
    ) {
        beginsAppWork()
        let call = BackgroundCall(kind: kind, body: body, completion: completion)
        guard lane is WallLane else {
            lane.schedule { [self] in
                // First, since the call may wait, and for ever.
                endsAppWork()
                call.completion(call.run(in: app))
                checkQuiet()
            }
            return
        }
        callbackPlace.put { [self] in
            let nanoseconds = call.run(in: app)
            lane.sendFromOutside { [self] in
                endsAppWork()
                call.completion(nanoseconds)
                checkQuiet()
            }
        }
    }

    /// What the lane hands over and takes back; the two never touch it at the same time.
    private struct BackgroundCall: @unchecked Sendable {
        let kind: ClientCall
        let body: () -> Void
        let completion: (Int64) -> Void

        func run(in app: any AppPort) -> Int64 {
            let began = HostClock.nanoseconds
            app.enterInBackground(kind, body)
            return HostClock.nanoseconds - began
        }
    }
}
