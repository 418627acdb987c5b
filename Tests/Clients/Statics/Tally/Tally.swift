// What all devices of a program have in common, because the program says so: how many launches were looked at.

import Foundation

public enum Tally {
    public static var launches = 0
    public static var checks = 0
    private static var complaints: [String] = []

    public static func complain(_ text: String) {
        if complaints.count < 20 { complaints.append(text) }
    }

    public static var isClean: Bool { complaints.isEmpty }

    /// For the end of the process.
    public static func show() {
        var lines = complaints
        lines.append("launches \(launches), checks \(checks), complaints \(complaints.count)")
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }
}
