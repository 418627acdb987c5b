// A number exactly as a person wrote it, before a unit turns it into nanoseconds, bytes or a share.
// Pure value; any thread.

/// `mantissa / 10^scale`, never negative. Keeping the decimal digits makes `0.1s` exactly 100 ms.
package struct DecimalNumber: Sendable, Equatable {
    package enum Problem: Error, Equatable {
        /// No digits, a stray letter, a sign, or an underscore that does not stand between two digits.
        case malformed
        /// More than `digitsMax` digits.
        case tooManyDigits
    }

    /// Every number of so many digits fits `Int64`.
    package static let digitsMax = 18

    package let mantissa: Int64
    package let scale: Int

    /// Reads `12`, `1_000` or `1.5`.
    package init(parsing text: some StringProtocol) throws(Problem) {
        var mantissa: Int64 = 0
        var digits = 0
        var fraction: Int?
        var previousIsDigit = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                // Leading zeros say nothing and cost nothing.
                if mantissa > 0 || byte != UInt8(ascii: "0") || fraction != nil { digits += 1 }
                guard digits <= Self.digitsMax else { throw .tooManyDigits }
                mantissa = mantissa * 10 + Int64(byte - UInt8(ascii: "0"))
                fraction = fraction.map { $0 + 1 }
                previousIsDigit = true
            case UInt8(ascii: "_") where previousIsDigit:
                previousIsDigit = false
            case UInt8(ascii: ".") where previousIsDigit && fraction == nil:
                fraction = 0
                previousIsDigit = false
            default:
                throw .malformed
            }
        }
        guard previousIsDigit else { throw .malformed }
        self.mantissa = mantissa
        scale = fraction ?? 0
    }

    /// The number when it is a whole one.
    package var whole: Int64? {
        let divisor = Self.powerOfTen(scale)
        return mantissa.isMultiple(of: divisor) ? mantissa / divisor : nil
    }

    package var isZero: Bool { mantissa == 0 }

    /// The product with a factor, rounded half up to a whole number; nil when it does not fit.
    package func times(_ factor: Int64) -> Int64? {
        let divisor = Int128(Self.powerOfTen(scale))
        let (product, overflow) = Int128(mantissa).multipliedReportingOverflow(by: Int128(factor))
        return overflow ? nil : Int64(exactly: (product + divisor / 2) / divisor)
    }

    /// The number times `factor` over `divisor`, rounded once: 95 over 100 is the same `Double` as 0.95.
    package func value(times factor: Int64 = 1, over divisor: Int64 = 1) -> Double {
        Double(mantissa) * Double(factor) / (Double(Self.powerOfTen(scale)) * Double(divisor))
    }

    private static func powerOfTen(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}
