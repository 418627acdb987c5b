// Keys of the environment and animations, as models name them.
// Values; any thread.

/// A key of the environment.
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// Values that views would hand down. Nothing here hands them down: each reads as it was set, or its default.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// How a change would be shown. Nothing is shown here.
public struct Animation: Hashable, Sendable {
    private let curve: String
    private let duration: Double?

    public static let `default` = Animation(curve: "default", duration: nil)
    public static let linear = Animation(curve: "linear", duration: nil)
    public static let easeIn = Animation(curve: "easeIn", duration: nil)
    public static let easeOut = Animation(curve: "easeOut", duration: nil)
    public static let easeInOut = Animation(curve: "easeInOut", duration: nil)
    public static let spring = Animation(curve: "spring", duration: nil)

    public static func linear(duration: Double) -> Animation { Animation(curve: "linear", duration: duration) }
    public static func easeIn(duration: Double) -> Animation { Animation(curve: "easeIn", duration: duration) }
    public static func easeOut(duration: Double) -> Animation { Animation(curve: "easeOut", duration: duration) }
    public static func easeInOut(duration: Double) -> Animation { Animation(curve: "easeInOut", duration: duration) }
}

/// Runs `body`, whose changes would be shown as an animation.
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}
