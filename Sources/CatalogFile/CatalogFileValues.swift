// The two small languages inside a StoreKit configuration: prices and periods.
// Pure.

import Foundation
import Simulation
import Text

/// A price as the file spells it: digits, with at most one point among them.
enum CatalogPrice: Equatable {
    case valid(Decimal)
    case invalid(message: String, hint: String)

    /// More than the App Store lets anyone charge, in any currency.
    static let ceiling = Decimal(1_000_000_000)
    /// As many as fit a UInt64 whatever they are.
    private static let digitsMax = 19

    init(_ text: String) {
        var significand: UInt64 = 0
        var digits = 0
        var decimals: Int?
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where digits < Self.digitsMax:
                significand = significand * 10 + UInt64(byte - UInt8(ascii: "0"))
                digits += 1
                decimals = decimals.map { $0 + 1 }
            case UInt8(ascii: ".") where decimals == nil && digits > 0:
                decimals = 0
            default:
                self = Self.complaint(text)
                return
            }
        }
        guard digits > 0, decimals != 0 else {
            self = Self.complaint(text)
            return
        }
        let price = Decimal(sign: .plus, exponent: -(decimals ?? 0), significand: Decimal(significand))
        if price > Self.ceiling {
            self = .invalid(
                message: "\(quoted(text)) is more than 1000000000", hint: "check the currency and the zeros"
            )
        } else {
            self = .valid(price)
        }
    }

    private static func complaint(_ text: String) -> CatalogPrice {
        let message = "\(quoted(text)) is not a price"
        if text.hasPrefix("-") {
            return .invalid(message: message, hint: "write a price that is not negative, such as \"0.99\"")
        }
        if text.contains(",") {
            let pointed = String(text.map { $0 == "," ? "." : $0 })
            if case .valid = CatalogPrice(pointed) {
                return .invalid(message: message, hint: "write it with a point, such as \"\(pointed)\"")
            }
        }
        return .invalid(message: message, hint: "write digits and at most one point, such as \"0.99\"")
    }
}

extension CalendarPeriod {
    private static let countMax = 1_000

    /// One unit only: "P1M", "P2W", "P3D", "P1Y". Nil for everything else.
    init?(iso8601 text: String) {
        let bytes = Array(text.utf8)
        guard (3...6).contains(bytes.count), bytes[0] == UInt8(ascii: "P") else { return nil }
        var count = 0
        for byte in bytes[1..<(bytes.count - 1)] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            count = count * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard (1...Self.countMax).contains(count) else { return nil }
        switch bytes[bytes.count - 1] {
        case UInt8(ascii: "D"): self.init(count: count, unit: .day)
        case UInt8(ascii: "W"): self.init(count: count, unit: .week)
        case UInt8(ascii: "M"): self.init(count: count, unit: .month)
        case UInt8(ascii: "Y"): self.init(count: count, unit: .year)
        default: return nil
        }
    }
}
