// Marks for a profiler. No profiler reads them here, so they do nothing.
// Any thread.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Synchronization

/// The kind of a mark.
public enum OSSignpostType: UInt8, Sendable { case event, begin, end }

/// An identifier that tells open intervals apart.
public struct OSSignpostID: Comparable, Hashable, Sendable {
    public let rawValue: UInt64

    private static let latest = Atomic<UInt64>(1)

    public init(_ value: UInt64) { rawValue = value }
    /// Makes an identifier that no other mark has.
    public init(log: OSLog) { rawValue = Self.latest.add(1, ordering: .relaxed).newValue }
    public init(log: OSLog, object: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    public static let exclusive = OSSignpostID(0xeeee_b0b5_b2b2_eeee)
    public static let invalid = OSSignpostID(.max)
    public static let null = OSSignpostID(0)

    public static func < (one: OSSignpostID, other: OSSignpostID) -> Bool { one.rawValue < other.rawValue }
}

/// Marks an event or an interval, without a message or with one. The mark leaves nothing here.
public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive
) {}

public func os_signpost(
    _ type: OSSignpostType, dso: UnsafeRawPointer? = nil, log: OSLog, name: StaticString,
    signpostID: OSSignpostID = .exclusive, _ format: StaticString, _ arguments: Any...
) {}

/// Marks events and intervals through one method for each kind. Marks leave nothing here.
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

/// The state that ends an interval.
public final class OSSignpostIntervalState: Sendable {}
