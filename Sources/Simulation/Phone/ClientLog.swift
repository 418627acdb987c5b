// What the client has printed on a device.
// Guard: confined to the device's lane.

/// A line that client code printed.
package struct ClientLine: Sendable, Equatable {
    package let at: Instant
    /// The launch of the app, counted from 1.
    package let process: Int
    package let text: String

    package init(at: Instant, process: Int, text: String) { (self.at, self.process, self.text) = (at, process, text) }
}

/// The calls of client code that its end came in, the innermost first.
package struct ClientStack: Sendable, Equatable {
    /// The launch of the app, counted from 1.
    package let process: Int
    package let calls: [UInt]

    package init(process: Int, calls: [UInt]) { (self.process, self.calls) = (process, calls) }
}

/// The last lines that client code wrote to the standard output or error, in order; bounded, so that a flood of them
/// costs no more. Of a client that prints nothing it holds no memory.
package struct ClientLog: Sendable {
    /// The latest lines, without their ends.
    package private(set) var lines: [ClientLine] = []
    /// Why the runtime ended the app, where it did: of the first launches that it ended.
    package private(set) var reasons: [ClientLine] = []
    /// Of those launches, as far as it is known.
    package private(set) var stacks: [ClientStack] = []
    /// Told of each line as soon as it is known.
    package var onLine: (@Sendable (ClientLine) -> Void)?
    /// The index in `lines` of the current launch's first line.
    private var launchStart = 0
    /// What has no end yet.
    private var partial: [UInt8] = []
    /// How much of it was too long.
    private var cut = 0

    /// Of a launch, and of all of them together.
    package static let linesMax = (launch: 64, device: 128)
    package static let reasonsMax = 32
    /// Of one line, in bytes; the rest of a longer one is cut off.
    package static let lengthMax = 512
    private static let newline = UInt8(ascii: "\n")

    package init() {}

    package init(lines: [ClientLine], reasons: [ClientLine] = [], stacks: [ClientStack] = []) {
        (self.lines, self.reasons, self.stacks) = (lines, reasons, stacks)
    }

    /// Why the runtime ended that launch, if it did.
    package func reason(of process: Int?) -> String? { reasons.first { $0.process == process }?.text }

    /// The calls that it ended in; none where they are not known.
    package func calls(of process: Int?) -> [UInt] { stacks.first { $0.process == process }?.calls ?? [] }

    /// What a launch has printed, as far as it is kept.
    package func lines(of process: Int) -> [String] { lines.filter { $0.process == process }.map(\.text) }

    /// Takes in what the client of a launch has written: lines, or parts of them.
    package mutating func write(_ bytes: UnsafeRawBufferPointer, at: Instant, process: Int) {
        for byte in bytes {
            if byte == Self.newline {
                endLine(at: at, process: process)
            } else if partial.count < Self.lengthMax {
                partial.append(byte)
            } else {
                cut += 1
            }
        }
    }

    /// The runtime is about to end the launch, and says why.
    package mutating func end(because reason: String, in calls: [UInt] = [], at: Instant, process: Int) {
        endLaunch(at: at, process: process)
        end(in: calls, process: process)
        let line = ClientLine(at: at, process: process, text: reason)
        onLine?(line)
        if reasons.count < Self.reasonsMax { reasons.append(line) }
    }

    /// The launch is about to end in these calls.
    package mutating func end(in calls: [UInt], process: Int) {
        if !calls.isEmpty, stacks.count < Self.reasonsMax { stacks.append(ClientStack(process: process, calls: calls)) }
    }

    /// The launch has ended: what it has begun to print is a line.
    package mutating func endLaunch(at: Instant, process: Int) {
        if !partial.isEmpty { endLine(at: at, process: process) }
        launchStart = lines.count
    }

    private mutating func endLine(at: Instant, process: Int) {
        var text = String(decoding: partial, as: UTF8.self)
        if cut > 0 { text += "… and \(cut) bytes more" }
        partial.removeAll(keepingCapacity: true)
        cut = 0
        let line = ClientLine(at: at, process: process, text: text)
        onLine?(line)
        keep(line)
    }

    private mutating func keep(_ line: ClientLine) {
        if lines.count - launchStart == Self.linesMax.launch {
            lines.remove(at: launchStart)
        } else if lines.count == Self.linesMax.device {
            lines.removeFirst()
            launchStart -= 1
        }
        lines.append(line)
    }
}
