// What a device counts.
// Plain values.

/// What is counted on a device beside its events.
package struct DeviceCounts: Sendable, Equatable {
    package var requests = 0
    package var lostRequests = 0
    package var lostAnswers = 0
    package var offlineRequests = 0
    package var crashes = 0
    /// Of the crashes, those that the client brought about by raising an exception.
    package var exceptions = 0
}
