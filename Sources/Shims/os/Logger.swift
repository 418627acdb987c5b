// A log with a method for each level.
// Any thread.

/// Writes entries for one subsystem and category to standard error.
public struct Logger: Sendable {
    private let place: OSLog

    public init() { place = .default }
    public init(_ logObj: OSLog) { place = logObj }
    public init(subsystem: String, category: String) { place = OSLog(subsystem: subsystem, category: category) }

    public func log(_ message: OSLogMessage) { log(level: .default, message) }
    public func log(level: OSLogType, _ message: OSLogMessage) { place.write(level, message.text) }

    public func trace(_ message: OSLogMessage) { log(level: .debug, message) }
    public func debug(_ message: OSLogMessage) { log(level: .debug, message) }
    public func info(_ message: OSLogMessage) { log(level: .info, message) }
    public func notice(_ message: OSLogMessage) { log(level: .default, message) }
    public func warning(_ message: OSLogMessage) { log(level: .error, message) }
    public func error(_ message: OSLogMessage) { log(level: .error, message) }
    public func critical(_ message: OSLogMessage) { log(level: .fault, message) }
    public func fault(_ message: OSLogMessage) { log(level: .fault, message) }
}
