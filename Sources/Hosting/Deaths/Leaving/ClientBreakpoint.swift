// Where a replay stops for a debugger: just before the call into client code in which something happened.
// Set before client code runs; asked on the device's lane.

internal import CRuntime

/// A run is the same each time: the first time it is seen which call that is, and the second time it stops there.
package enum ClientBreakpoint {
    /// What happened, as one of the events of a device.
    package struct Place: Sendable, Equatable {
        package let user: Int
        /// Counted from 1.
        package let device: Int
        package let launch: Int
        /// Among the device's events.
        package let event: Int
        /// What StoreKit tells is noted before the call into the client; all else within it.
        package let comesBefore: Bool

        package init(user: Int, device: Int, launch: Int, event: Int, comesBefore: Bool) {
            (self.user, self.device, self.launch) = (user, device, launch)
            (self.event, self.comesBefore) = (event, comesBefore)
        }
    }

    /// A call into client code.
    package struct Call: Sendable, Equatable {
        /// Of the calls in its launch, which; counted from 1.
        fileprivate let number: Int
        package let kind: ClientCall
    }

    // Guard: set before client code runs, and put back by the one thread that runs it.
    nonisolated(unsafe) private static var place: Place?
    nonisolated(unsafe) private static var callCount = 0
    nonisolated(unsafe) private static var candidate: Call?
    nonisolated(unsafe) private static var stop: (call: Call, reached: () -> Void)?
    nonisolated(unsafe) static var isSet = false

    /// From here on it is seen in which call the event of a place comes about.
    package static func watch(_ place: Place) {
        (self.place, callCount, candidate, stop, isSet) = (place, 0, nil, nil, true)
    }

    /// The call that was looked for; nil: there was none.
    package static func found() -> Call? {
        isSet = false
        return candidate
    }

    /// - Parameter reached: called once, on the thread that is about to call client code.
    package static func set(_ place: Place, before call: Call, reached: @escaping () -> Void) {
        (self.place, callCount, stop, isSet) = (place, 0, (call, reached), true)
    }

    static func look(_ process: AppProcess, _ kind: ClientCall) {
        let device = process.device
        guard let place, device.user == place.user, device.number == place.device,
            Int(process.number) == place.launch
        else { return }
        callCount += 1
        guard let stop else {
            let isDone = device.events.count > place.event
            if place.comesBefore ? isDone && candidate == nil : !isDone {
                candidate = Call(number: callCount, kind: kind)
            }
            return
        }
        guard callCount == stop.call.number else { return }
        isSet = false
        // What is said of it is not the client's.
        let frame = stampede_step_out()
        stop.reached()
        stampede_step_in(frame)
    }
}
