// What the client of one launch has printed.
// Guard: confined to the device's lane.

/// The last lines that client code wrote to the standard output or error; bounded, so that a flood of them costs no more.
package struct ClientLog: Sendable {
    /// The latest lines, without their ends.
    package private(set) var lines: [String] = []
    /// Lines that are not kept any more.
    package private(set) var dropped = 0
    /// What has no end yet.
    private var partial: [UInt8] = []

    private static let linesMax = 64
    /// Of one line, in bytes; the rest of a longer one is cut off.
    private static let lengthMax = 512
    private static let newline = UInt8(ascii: "\n")

    package init() {}

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == Self.newline { endLine() } else if partial.count < Self.lengthMax { partial.append(byte) }
        }
    }

    /// What the runtime has to say of the client, as a line of its own.
    mutating func note(_ text: String) {
        if !partial.isEmpty { endLine() }
        append(text)
    }

    private mutating func endLine() {
        append(String(decoding: partial, as: UTF8.self))
        partial.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ line: String) {
        if lines.count == Self.linesMax {
            lines.removeFirst()
            dropped += 1
        }
        lines.append(line)
    }
}
