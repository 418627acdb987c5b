// Devices under the virtual clock, with an App Store of their own.
// Confined to the test that made them.

package import Simulation
package import Testing

/// One device; a second and third user have one each where the conditions ask for more users.
package final class TestDevice {
    package let timeline: VirtualClock
    package let store: SimulatedAppStore
    package let device: Device
    /// By user.
    package let devices: [Device]
    /// What lives as long as the device, though the app does not hold it.
    package var kept: [AnyObject] = []

    package init(_ conditions: TestConditions = TestConditions(), on timeline: VirtualClock = VirtualTimeline()) {
        let store = conditions.makeStore(lane: timeline)
        self.timeline = timeline
        devices = (0..<conditions.users).map { conditions.makeDevice(lane: timeline, store: store, user: $0) }
        self.store = store
        device = devices[0]
    }

    /// A device whose conditions are changed in one place.
    package convenience init(_ change: (inout TestConditions) -> Void) {
        var conditions = TestConditions()
        change(&conditions)
        self.init(conditions)
    }

    package var process: AppProcess { device.process! }  // A test that has launched the app asks.

    /// Runs until nothing is under way on the devices.
    package func runUntilQuiet(sourceLocation: SourceLocation = #_sourceLocation) {
        var noisy = devices.count
        for device in devices { device.whenQuiet { noisy -= 1 } }
        let isQuiet = timeline.run(until: { noisy == 0 }, patience: .zero)
        #expect(isQuiet, "the device never comes to rest", sourceLocation: sourceLocation)
    }

    package func run(for span: Span) {
        var isOver = false
        timeline.schedule(after: span) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }

    /// Closes the account and returns its books.
    package func statement(of user: Int = 0) -> AccountStatement { store.closeAccount(user: user) }
}
