// The calls that client code has come to a place by.
// Any thread.

internal import CRuntime

enum ClientCalls {
    private static let countMax: Int32 = 64

    /// Addresses of the calls of this thread, the innermost first, including calls of the harness.
    static func now() -> [UInt] {
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        var calls = [UnsafeMutableRawPointer?](repeating: nil, count: Int(countMax))
        let count = Int(stampede_calls(&calls, countMax))
        // A call returns to what comes after it, which may be another line.
        return calls.prefix(count).map { UInt(bitPattern: $0) &- 1 }
    }
}
