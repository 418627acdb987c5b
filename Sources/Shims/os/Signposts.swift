// Marks for a profiler. There is none here that would read them, and so they leave nothing behind.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Synchronization

/// What kind of mark it is.
public enum OSSignpostType: UInt8, Sendable { case event, begin, end }

/// Which of several that are open at once.
public struct OSSignpostID: Comparable, Hashable, Sendable {
    public let rawValue: UInt64

    private static let latest = Atomic<UInt64>(1)

    public init(_ value: UInt64) { rawValue = value }
    /// One that no other mark has.
    public init(log: OSLog) { rawValue = Self.latest.add(1, ordering: .relaxed).newValue }
    public init(log: OSLog, object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    public static let exclusive = OSSignpostID(0xeeee_b0b5_b2b2_eeee)
    public static let invalid = OSSignpostID(.max)
    public static let null = OSSignpostID(0)

    public static func < (one: OSSignpostID, other: OSSignpostID) -> Bool { one.rawValue < other.rawValue }
}

/// A mark, without a message or with one.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {}

public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}

/// Marks with a method for each kind.
public struct OSSignposter: Sendable {
    private let log: OSLog

    public init() { log = .default }
    public init(logHandle: OSLog) { log = logHandle }
    public init(logger: Logger) { log = .default }
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    public var isEnabled: Bool { log.signpostsEnabled }
    public func makeSignpostID() -> OSSignpostID { OSSignpostID(log: log) }

    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
        OSSignpostIntervalState()
    }
    public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage)
        -> OSSignpostIntervalState
    {
        OSSignpostIntervalState()
    }
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: OSLogMessage) {}
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
    public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive, _ message: OSLogMessage) {}

    public func withIntervalSignpost<Value>(
        _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> Value
    ) rethrows -> Value {
        try task()
    }
}

/// What ends an interval that was begun.
public final class OSSignpostIntervalState: Sendable {}
