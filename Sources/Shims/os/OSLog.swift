// A place that entries of a log are written for. All of them go to standard error, which a harness keeps for each device.
// Any thread.

public import Foundation

/// A subsystem and a category, which every entry begins with.
public class OSLog: NSObject, @unchecked Sendable {  // Unchecked: it is a class of Foundation's, and never changes.
    let heading: String
    let isDisabled: Bool

    public init(subsystem: String, category: String) {
        heading = "[\(subsystem):\(category)] "
        isDisabled = false
    }

    /// The same for one of the system's own categories.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    private init(heading: String, isDisabled: Bool) {
        self.heading = heading
        self.isDisabled = isDisabled
    }

    /// Entries with no heading.
    public static let `default` = OSLog(heading: "", isDisabled: false)
    /// Entries that nobody reads.
    public static let disabled = OSLog(heading: "", isDisabled: true)

    /// Categories that the system knows.
    public struct Category: Sendable {
        public let rawValue: String

        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
        public static let dynamicTracing = Category(rawValue: "DynamicTracing")
        public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
    }

    public func isEnabled(type: OSLogType) -> Bool { !isDisabled }

    /// Whether signposts lead anywhere: there is no tool here that would show them.
    public var signpostsEnabled: Bool { false }

    /// In one call, so that entries of several threads do not mix.
    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        if isDisabled { return }
        var line = "\(heading)\(type.word): \(message())\n"
        line.withUTF8 { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// For code that names it as C does.
public typealias os_log_t = OSLog
