// Values kept beside an object, as the Objective-C runtime keeps them.
// Any thread; `lock` guards the tables.

internal import Foundation
internal import Simulation

/// How a value is kept: retained, copied, or only referred to.
// swift-format-ignore: AlwaysUseLowerCamelCase
public enum objc_AssociationPolicy: UInt, Sendable {
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

/// Keeps a value beside an object under a key; nil removes it. The value is released with the object or a little later.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    AssociatedObjects.current.set(value, beside: object as AnyObject, key, policy)
}

/// The value kept beside an object under a key; nil if there is none.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.current.value(beside: object as AnyObject, key)
}

/// Removes all values kept beside an object.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func objc_removeAssociatedObjects(_ object: Any) {
    AssociatedObjects.current.removeAll(beside: object as AnyObject)
}

/// The table of one launch of a simulated app, which ends with the launch; elsewhere the program's table.
///
/// Swift does not report when an object is freed. Its values are released when the table has doubled since the last
/// sweep, or when another object gets the same address.
private final class AssociatedObjects: @unchecked Sendable {  // Guard: `lock`.
    private struct Entry {
        weak var owner: AnyObject?
        var values: [UnsafeRawPointer: Value] = [:]
    }

    private enum Value {
        case kept(Any)
        case assigned(Weak)

        struct Weak { weak var object: AnyObject? }
    }

    private static let ofProgram = AssociatedObjects()
    private static let smallest = 64

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var limit = smallest

    static var current: AssociatedObjects {
        CurrentProcess.found?.processObject(AssociatedObjects.self) { AssociatedObjects() } ?? ofProgram
    }

    func set(_ value: Any?, beside owner: AnyObject, _ key: UnsafeRawPointer, _ policy: objc_AssociationPolicy) {
        let kept = value.map { Self.kept($0, policy) }
        // Releasing a value may call this table again.
        var dropped: [Entry] = []
        lock.withLock {
            var entry = entries.removeValue(forKey: ObjectIdentifier(owner)) ?? Entry(owner: owner)
            dropped.append(entry)
            if entry.owner !== owner { entry = Entry(owner: owner) }
            entry.values[key] = kept
            if !entry.values.isEmpty { entries[ObjectIdentifier(owner)] = entry }
            if entries.count > limit { dropped += sweep() }
        }
        withExtendedLifetime(dropped) {}
    }

    func value(beside owner: AnyObject, _ key: UnsafeRawPointer) -> Any? {
        lock.withLock {
            guard let entry = entries[ObjectIdentifier(owner)], entry.owner === owner else { return nil }
            switch entry.values[key] {
            case .kept(let value): return value
            case .assigned(let value): return value.object
            case nil: return nil
            }
        }
    }

    func removeAll(beside owner: AnyObject) {
        let dropped = lock.withLock { entries.removeValue(forKey: ObjectIdentifier(owner)) }
        withExtendedLifetime(dropped) {}
    }

    private static func kept(_ value: Any, _ policy: objc_AssociationPolicy) -> Value {
        switch policy {
        case .OBJC_ASSOCIATION_RETAIN, .OBJC_ASSOCIATION_RETAIN_NONATOMIC: .kept(value)
        case .OBJC_ASSOCIATION_COPY, .OBJC_ASSOCIATION_COPY_NONATOMIC:
            .kept((value as? any NSCopying)?.copy(with: nil) ?? value)
        // Unlike on Apple's systems, a read never returns an object that has been freed.
        case .OBJC_ASSOCIATION_ASSIGN: .assigned(Value.Weak(object: value as AnyObject))
        }
    }

    /// Removes and returns the entries of objects that have been freed.
    private func sweep() -> [Entry] {
        let gone = entries.filter { $0.value.owner == nil }
        for key in gone.keys { entries[key] = nil }
        limit = max(Self.smallest, entries.count * 2)
        return Array(gone.values)
    }
}

/// Runs `body`; Linux has no pool to drain.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
