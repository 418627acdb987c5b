// A log to which entries are written. All entries go to standard error, which a harness keeps for each device.
// Any thread.

public import Foundation

/// A log for one subsystem and category, which begin each of its entries.
public class OSLog: NSObject, @unchecked Sendable {  // Unchecked: it is a class of Foundation's, and never changes.
    let heading: String
    let isDisabled: Bool

    public init(subsystem: String, category: String) {
        heading = "[\(subsystem):\(category)] "
        isDisabled = false
    }

    /// Makes a log for one of the system's own categories.
    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    private init(heading: String, isDisabled: Bool) {
        self.heading = heading
        self.isDisabled = isDisabled
    }

    /// The log whose entries have no heading.
    public static let `default` = OSLog(heading: "", isDisabled: false)
    /// The log that writes nothing.
    public static let disabled = OSLog(heading: "", isDisabled: true)

    /// A category that the system defines.
    public struct Category: Sendable {
        public let rawValue: String

        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
        public static let dynamicTracing = Category(rawValue: "DynamicTracing")
        public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
    }

    public func isEnabled(type: OSLogType) -> Bool { !isDisabled }

    /// Always false: there is no tool here that shows signposts.
    public var signpostsEnabled: Bool { false }

    /// Writes in one call, so that entries of several threads do not mix.
    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        if isDisabled { return }
        var line = "\(heading)\(type.word): \(message())\n"
        line.withUTF8 { _ = Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// `OSLog`, under its C name.
public typealias os_log_t = OSLog
