// Where a replay stops for a debugger: just before a call into client code.
// Set before client code runs; asked on the device's lane.

internal import CRuntime

package enum ClientBreakpoint {
    /// Calls into the client's code of one launch, from one moment on.
    package struct Place: Sendable, Equatable {
        package let user: Int
        /// Counted from 1.
        package let device: Int
        package let launch: Int
        package let at: Instant

        package init(user: Int, device: Int, launch: Int, at: Instant) {
            (self.user, self.device, self.launch, self.at) = (user, device, launch, at)
        }
    }

    // Guard: set before client code runs, and put back by the one thread that runs it.
    nonisolated(unsafe) private static var place: Place?
    nonisolated(unsafe) private static var reached: () -> Void = {}
    nonisolated(unsafe) static var isSet = false

    /// - Parameter reached: called once, on the thread that is about to call client code.
    package static func set(_ place: Place, reached: @escaping () -> Void) {
        (self.place, self.reached, isSet) = (place, reached, true)
    }

    static func look(_ process: AppProcess) {
        let device = process.device
        guard let place, device.user == place.user, device.number == place.device,
            Int(process.number) == place.launch, device.lane.now >= place.at
        else { return }
        isSet = false
        // What is said of it is not the client's.
        let frame = stampede_step_out()
        reached()
        stampede_step_in(frame)
    }
}
