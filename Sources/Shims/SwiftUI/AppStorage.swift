// A property that lives in the device's user defaults.
// Any thread, as `UserDefaults`.

public import Foundation

/// A property that is read from user defaults and written there, each time.
///
/// Types: `Bool`, `Int`, `Double`, `String`, `URL`, `Data`, their optionals, and enums with `Int` or `String` as raw value.
/// A write does not announce itself: nothing here redraws views.
@propertyWrapper
public struct AppStorage<Value> {
    private let store: UserDefaults?
    private let read: (UserDefaults) -> Value
    private let write: (UserDefaults, Value) -> Void

    private init(
        _ store: UserDefaults?, read: @escaping (UserDefaults) -> Value,
        write: @escaping (UserDefaults, Value) -> Void
    ) {
        self.store = store
        self.read = read
        self.write = write
    }

    /// The stored value, or the one in the declaration.
    public var wrappedValue: Value {
        get { read(store ?? .standard) }
        nonmutating set { write(store ?? .standard, newValue) }
    }

    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

    /// - Parameter typed: reads a value that is there.
    /// - Parameter stored: what is written for a value.
    fileprivate init(
        _ value: Value, _ key: String, _ store: UserDefaults?, _ typed: @escaping (UserDefaults, String) -> Value?,
        stored: @escaping (Value) -> Any = { $0 }
    ) {
        self.init(
            store, read: { $0.object(forKey: key) == nil ? value : typed($0, key) ?? value },
            write: { $0.set(stored($1), forKey: key) })
    }

    /// The same of an optional, where nil removes the value.
    fileprivate init<Wrapped>(
        _ key: String, _ store: UserDefaults?, _ typed: @escaping (UserDefaults, String) -> Wrapped?
    ) where Value == Wrapped? {
        self.init(
            store, read: { $0.object(forKey: key) == nil ? nil : typed($0, key) },
            write: { defaults, value in
                if let value { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
            })
    }
}

extension AppStorage where Value == Bool {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store) { $0.bool(forKey: $1) }
    }
}

extension AppStorage where Value == Int {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store) { $0.integer(forKey: $1) }
    }
}

extension AppStorage where Value == Double {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store) { $0.double(forKey: $1) }
    }
}

extension AppStorage where Value == String {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store) { $0.string(forKey: $1) }
    }
}

extension AppStorage where Value == URL {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(store, read: { $0.url(forKey: key) ?? wrappedValue }, write: { $0.set($1, forKey: key) })
    }
}

extension AppStorage where Value == Data {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store) { $0.data(forKey: $1) }
    }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == Int {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, { Value(rawValue: $0.integer(forKey: $1)) }, stored: \.rawValue)
    }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == String {
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(wrappedValue, key, store, { $0.string(forKey: $1).flatMap(Value.init) }, stored: \.rawValue)
    }
}

extension AppStorage where Value == Bool? {
    public init(_ key: String, store: UserDefaults? = nil) { self.init(key, store) { $0.bool(forKey: $1) } }
}

extension AppStorage where Value == Int? {
    public init(_ key: String, store: UserDefaults? = nil) { self.init(key, store) { $0.integer(forKey: $1) } }
}

extension AppStorage where Value == Double? {
    public init(_ key: String, store: UserDefaults? = nil) { self.init(key, store) { $0.double(forKey: $1) } }
}

extension AppStorage where Value == String? {
    public init(_ key: String, store: UserDefaults? = nil) { self.init(key, store) { $0.string(forKey: $1) } }
}

extension AppStorage where Value == Data? {
    public init(_ key: String, store: UserDefaults? = nil) { self.init(key, store) { $0.data(forKey: $1) } }
}
