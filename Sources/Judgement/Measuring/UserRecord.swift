// What a user leaves behind for the judge.
// Plain values; any thread.

package import Simulation

/// What the runner itself counts of a user.
package struct UserTotals: Sendable {
    package var iterations = 0
    /// Those that were broken off.
    package var interruptedIterations = 0
    package var unknownSteps = 0
    /// The journey never let time pass, and was broken off.
    package var isSpinning = false
    package var expectationsMet = 0
    package var expectationsMissed = 0
    package var launchDurations: [Span] = []
    /// When the last journey ended and settling began.
    package var journeyEnd = Instant.start
    /// When the user was on a journey, and not in the pool of an open load.
    package var active: [(from: Instant, to: Instant)] = []

    package init() {}
}

/// What a device was seen to do, beside what the audit reads.
package struct DeviceRecord: Sendable {
    /// What the audit reads of it.
    package let input: AuditInput
    package let counts: DeviceCounts
    /// Real nanoseconds that observers took, sampled.
    package let callbackTimes: [Int64]
    /// When requests of the device failed.
    package let requestFailures: [Instant]

    package init(input: AuditInput, counts: DeviceCounts, callbackTimes: [Int64], requestFailures: [Instant]) {
        self.input = input
        self.counts = counts
        self.callbackTimes = callbackTimes
        self.requestFailures = requestFailures
    }
}

/// Everything that a judge gets of one user who has come to rest.
package struct UserRecord: Sendable {
    package let user: Int
    /// The user's load entry, and the cell that the user lived in.
    package let entry: Int
    package let cell: Int
    /// At least one.
    package let devices: [DeviceRecord]
    package let totals: UserTotals

    package init(user: Int, entry: Int, cell: Int, devices: [DeviceRecord], totals: UserTotals) {
        self.user = user
        self.entry = entry
        self.cell = cell
        self.devices = devices
        self.totals = totals
    }
}
