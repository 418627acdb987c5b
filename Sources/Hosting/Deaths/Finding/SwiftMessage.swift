// What Swift's runtime prints of a mistake before it ends the process.
// Pure; any thread.

enum SwiftMessage {
    private static let failedCast = "Could not cast value of type "

    /// Whether a line says what is wrong: `Fatal error: Index out of range`.
    static func isOne(_ line: String) -> Bool {
        line.contains("Fatal error: ") || line.contains("Precondition failed: ") || line.hasPrefix(failedCast)
    }

    /// The last of some lines that does, without where in memory types are, which is elsewhere each time.
    static func last(in lines: [String]) -> String? {
        lines.last(where: isOne).map { line in
            line.hasPrefix(failedCast) ? line.replacing(#/ \(0x[0-9a-f]+\)/#, with: "") : line
        }
    }
}
