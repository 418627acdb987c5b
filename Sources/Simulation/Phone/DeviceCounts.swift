// What a device counts.
// Plain values.

/// What is counted on a device beside its events.
package struct DeviceCounts: Sendable, Equatable {
    package var requests = 0
    private var faults = PerFault<Int32>(0)
    package var crashes = 0
    /// Of the crashes, those that the client brought about by raising an exception.
    package var exceptions = 0

    /// Faults that were made to happen: no crash of the client's own is one.
    package subscript(kind: FaultKind) -> Int { kind == .crash ? crashes - exceptions : Int(faults[kind]) }

    mutating func note(_ kind: FaultKind) { faults[kind] += 1 }
}
