// The behaviour of formatters, of which there has been only one since the first iPhone.
// Confined to the code that made the formatter.

public import Foundation

extension NumberFormatter {
    /// The behaviour of a formatter. The raw values are Apple's.
    public enum Behavior: UInt, Sendable {
        case `default` = 0
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case behavior10_4 = 1040
    }

    /// The behaviour that was set, without effect; a new formatter has the behaviour of 10.4.
    ///
    /// A copy is a new formatter.
    public var formatterBehavior: Behavior {
        get { FormatterBehavior.raw(of: self).flatMap(Behavior.init) ?? .behavior10_4 }
        set { FormatterBehavior.set(newValue.rawValue, of: self) }
    }
}

extension DateFormatter {
    /// The behaviour of a formatter. The raw values are Apple's.
    public enum Behavior: UInt, Sendable {
        case `default` = 0
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case behavior10_4 = 1040
    }

    /// The behaviour that was set, without effect; a new formatter has the behaviour of 10.4.
    ///
    /// A copy is a new formatter.
    public var formatterBehavior: Behavior {
        get { FormatterBehavior.raw(of: self).flatMap(Behavior.init) ?? .behavior10_4 }
        set { FormatterBehavior.set(newValue.rawValue, of: self) }
    }
}

/// Kept beside the formatter: an extension has no stored properties.
private enum FormatterBehavior {
    nonisolated(unsafe) private static let key = UnsafeRawPointer(  // Guard: an address that no code reads from.
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    static func raw(of formatter: Formatter) -> UInt? { objc_getAssociatedObject(formatter, key) as? UInt }

    static func set(_ behaviour: UInt, of formatter: Formatter) {
        objc_setAssociatedObject(formatter, key, behaviour, .OBJC_ASSOCIATION_RETAIN)
    }
}
