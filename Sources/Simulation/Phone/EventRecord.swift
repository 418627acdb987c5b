// What happened on one device, in order: what the audit and the metrics fold over.
// Values, appended on the device's lane.

/// One event of a device: what happened, when, and in which launch.
package struct EventRecord: Sendable, Equatable {
    package let at: Instant
    package let event: DeviceEvent
    /// The launch, counted from 1; 0 before the first.
    package let process: Int32

    package init(at: Instant, process: Int, _ event: DeviceEvent) {
        self.at = at
        self.event = event
        self.process = Int32(truncatingIfNeeded: process)
    }
}
