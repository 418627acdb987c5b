// The text of an entry, and the interpolation of values into it.
// Values; any thread.

internal import Foundation

/// A literal whose interpolations may say how each value is shown.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Builds a message from its literal parts and its values.
public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends any value that has a description.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append(privacy.shown(String(describing: value())), align)
    }

    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ number: @autoclosure () -> Number, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy.shown(format.text(number())), align)
    }

    public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
        _ number: @autoclosure () -> Number, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(privacy.shown(format.text(Double(number()))), align)
    }

    public mutating func appendInterpolation(
        _ flag: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        append(privacy.shown(format.text(flag())), .none)
    }

    private mutating func append(_ shown: String, _ align: OSLogStringAlignment) { text += align.padded(shown) }
}

/// Whether the log shows a value. A simulated device's log is its developer's: it shows values that code does not hide.
public struct OSLogPrivacy: Sendable {
    private let isHidden: Bool
    private let isMasked: Bool

    /// The text that replaces a hidden value.
    public enum Mask: Sendable { case hash, none }

    public static let `public` = OSLogPrivacy(isHidden: false, isMasked: false)
    public static let auto = OSLogPrivacy(isHidden: false, isMasked: false)
    public static let `private` = OSLogPrivacy(isHidden: true, isMasked: false)
    public static let sensitive = OSLogPrivacy(isHidden: true, isMasked: false)

    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(isHidden: true, isMasked: mask == .hash) }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .private(mask: mask) }

    func shown(_ text: String) -> String {
        if !isHidden { return text }
        if !isMasked { return "<private>" }
        // FNV-1a: the same for the same value, in every run.
        let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
        return "<mask.hash: '\(String(hash, radix: 16))'>"
    }
}

/// The minimum width of a value, and the side on which it stands.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isLeft: Bool

    public static let none = OSLogStringAlignment(columns: 0, isLeft: true)
    public static func left(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: true)
    }
    public static func right(columns: Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isLeft: false)
    }

    func padded(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, columns - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let isUppercase: Bool
    private let prefix: String
    private let hasSign: Bool
    private let minDigits: Int

    private static func number(
        radix: Int, uppercase: Bool = false, prefix: String = "", sign: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: radix, isUppercase: uppercase, prefix: prefix, hasSign: sign, minDigits: minDigits)
    }

    public static let decimal = number(radix: 10)
    public static let hex = number(radix: 16)
    public static let octal = number(radix: 8)

    public static func decimal(explicitPositiveSign: Bool = false) -> OSLogIntegerFormatting {
        number(radix: 10, sign: explicitPositiveSign)
    }
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int) -> OSLogIntegerFormatting {
        number(radix: 10, sign: explicitPositiveSign, minDigits: minDigits)
    }
    public static func hex(includePrefix: Bool = false, uppercase: Bool = false) -> OSLogIntegerFormatting {
        number(radix: 16, uppercase: uppercase, prefix: includePrefix ? "0x" : "")
    }
    public static func hex(includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int)
        -> OSLogIntegerFormatting
    {
        number(radix: 16, uppercase: uppercase, prefix: includePrefix ? "0x" : "", minDigits: minDigits)
    }
    public static func octal(includePrefix: Bool = false) -> OSLogIntegerFormatting {
        number(radix: 8, prefix: includePrefix ? "0" : "")
    }

    func text<Number: FixedWidthInteger>(_ number: Number) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (number < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
    }
}

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    private let conversion: String

    private static func number(_ conversion: Character, precision: Int? = nil, sign: Bool = false)
        -> OSLogFloatFormatting
    {
        OSLogFloatFormatting(conversion: "%\(sign ? "+" : "")\(precision.map { ".\(max(0, $0))" } ?? "")\(conversion)")
    }

    public static let fixed = number("f")
    public static let hex = number("a")
    public static let exponential = number("e")
    public static let hybrid = number("g")

    public static func fixed(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false)
        -> OSLogFloatFormatting
    {
        number(uppercase ? "F" : "f", precision: precision, sign: explicitPositiveSign)
    }
    public static func exponential(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false)
        -> OSLogFloatFormatting
    {
        number(uppercase ? "E" : "e", precision: precision, sign: explicitPositiveSign)
    }
    public static func hybrid(precision: Int, explicitPositiveSign: Bool = false, uppercase: Bool = false)
        -> OSLogFloatFormatting
    {
        number(uppercase ? "G" : "g", precision: precision, sign: explicitPositiveSign)
    }

    func text(_ number: Double) -> String { String(format: conversion, number) }
}

/// The format of a Boolean.
public enum OSLogBoolFormat: Sendable {
    case truth, answer

    func text(_ flag: Bool) -> String {
        switch self {
        case .truth: flag ? "true" : "false"
        case .answer: flag ? "yes" : "no"
        }
    }
}
