// Values that client code's tests set by key: NSObject has no key-value coding on Linux.
// Owned by one object; set before the object is shared, like everything in a test's set-up.

internal import Foundation

/// Values that replace an object's own; nearly every object has none.
struct KeyedValues {
    /// `NSNull` where nil was set.
    private var values: [String: Any]?

    /// The value set for a key; nil if none was.
    @inline(__always)
    subscript<Value>(key: String) -> Value? {
        // Inlined, because every getter of every transaction calls it.
        if values == nil { return nil }
        return values?[key] as? Value
    }

    /// The value set for the key of an optional property, which may be nil, else the object's own.
    @inline(__always)
    func value<Value>(_ key: String, else own: @autoclosure () -> Value?) -> Value? {
        guard let value = values?[key] else { return own() }
        return value as? Value
    }

    /// Sets a property that is never nil. Numbers convert into each other as in key-value coding.
    mutating func set<Value>(_ key: String, to value: Any?, as type: Value.Type, of owner: NSObject) {
        guard let value else {
            preconditionFailure("\(Swift.type(of: owner)).\(key) is never nil")
        }
        guard let converted = Self.convert(value, to: type) else {
            preconditionFailure(
                "\(Swift.type(of: owner)).\(key) takes \(type), not \(Swift.type(of: value)) \(value)")
        }
        values = values ?? [:]
        values?[key] = converted
    }

    /// Sets a property that may be nil.
    mutating func setOptional<Value>(_ key: String, to value: Any?, as type: Value.Type, of owner: NSObject) {
        if let value { return set(key, to: value, as: type, of: owner) }
        values = values ?? [:]
        values?[key] = NSNull()
    }

    /// Sets an enumeration, from a case or from its raw value.
    mutating func setCase<Value: RawRepresentable>(
        _ key: String, to value: Any?, as type: Value.Type, of owner: NSObject
    ) where Value.RawValue: FixedWidthInteger {
        let isRaw = value is NSNumber && !(value is Value)
        let raw = (value as? NSNumber).flatMap { Value.RawValue(exactly: $0.int64Value) }
        set(key, to: isRaw ? raw.flatMap(Value.init(rawValue:)) : value, as: type, of: owner)
    }

    static func unknown(_ key: String, of owner: NSObject) -> Never {
        preconditionFailure(
            "\(type(of: owner)) has no key \"\(key)\"; a subclass with keys of its own overrides setValue(_:forKey:)")
    }

    private static func convert<Value>(_ value: Any, to type: Value.Type) -> Value? {
        if let value = value as? Value { return value }
        guard let number = value as? NSNumber else { return nil }
        switch type {
        case is Int.Type: return number.intValue as? Value
        case is Int64.Type: return number.int64Value as? Value
        case is Bool.Type: return number.boolValue as? Value
        case is Float.Type: return number.floatValue as? Value
        case is Double.Type: return number.doubleValue as? Value
        // By its shortest text: 0.99 means ninety-nine hundredths, which no binary fraction equals.
        case is NSDecimalNumber.Type:
            return Decimal(string: number.description).map(NSDecimalNumber.init(decimal:)) as? Value
        default: return nil
        }
    }
}
