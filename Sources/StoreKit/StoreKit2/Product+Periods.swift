// How long a subscription's period is, in words, as dates and by ISO 8601.
// Values; any thread. English, whatever the locale.

public import Foundation

extension Product {
    /// Formats the period of this product.
    public var subscriptionPeriodFormatStyle: SubscriptionPeriod.FormatStyle {
        SubscriptionPeriod.FormatStyle(locale: storefront.priceLocale(language: locale))
    }

    /// Formats the unit of this product's period.
    public var subscriptionPeriodUnitFormatStyle: SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: storefront.priceLocale(language: locale))
    }
}

extension Product.SubscriptionPeriod {
    /// The period in words, such as "3 months".
    ///
    /// - Parameter referenceDate: when the period begins. A number of months has the same words whenever it begins.
    public func formatted(_ format: FormatStyle, referenceDate: Date? = nil) -> String {
        "\(value) \(unit.words(format.style, count: value))"
    }

    /// The period from a date on, by the style's calendar.
    public func dateRange(referenceDate: Date) -> Range<Date> {
        let end = FormatStyle.calendar.date(byAdding: components, to: referenceDate)
        return referenceDate..<max(end ?? referenceDate, referenceDate)
    }

    private var components: DateComponents {
        switch unit {
        case .day: DateComponents(day: value)
        case .week: DateComponents(day: 7 * value)
        case .month: DateComponents(month: value)
        case .year: DateComponents(year: value)
        }
    }

    /// Such as "P1W".
    var iso8601: String { "P\(value)\(unit.letter)" }

    /// Puts a range of dates into words.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// How long the words are.
        public enum Style: Sendable, Codable, Hashable {
            /// "3 months".
            case wide
            /// "3 mths".
            case abbreviated
            /// "3 m".
            case narrow
        }

        /// How long the words are.
        public var style = Style.wide
        /// The language that is asked for; the words are English.
        public var locale: Locale

        static let calendar = Calendar(identifier: .gregorian)

        init(locale: Locale) { self.locale = locale }

        /// The same style for another language.
        public func locale(_ locale: Locale) -> FormatStyle {
            var other = self
            other.locale = locale
            return other
        }

        /// The range in years, months and days.
        public func format(_ value: Range<Date>) -> String {
            let parts = Self.calendar.dateComponents(
                [.year, .month, .day], from: value.lowerBound, to: value.upperBound)
            let counts = [(parts.year, Unit.year), (parts.month, .month), (parts.day, .day)]
            let words = counts.compactMap { count, unit -> String? in
                guard let count, count > 0 else { return nil }
                return "\(count) \(unit.words(style, count: count))"
            }
            return words.isEmpty ? "0 \(Unit.day.words(style, count: 0))" : words.joined(separator: ", ")
        }
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// The unit in words, such as "month".
    public func formatted(_ format: FormatStyle) -> String { format.format(self) }

    /// Puts a unit into words.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// The language that is asked for; the words are English.
        public var locale: Locale

        init(locale: Locale) { self.locale = locale }

        /// The same style for another language.
        public func locale(_ locale: Locale) -> FormatStyle { FormatStyle(locale: locale) }

        /// The unit in words.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String { value.words(.wide, count: 1) }
    }

    fileprivate func words(_ style: Product.SubscriptionPeriod.FormatStyle.Style, count: Int) -> String {
        let ending = count == 1 ? "" : "s"
        switch style {
        case .wide: return "\(self)\(ending)"
        case .abbreviated:
            switch self {
            case .day: return "day\(ending)"
            case .week: return "wk\(ending)"
            case .month: return "mth\(ending)"
            case .year: return "yr\(ending)"
            }
        case .narrow: return letter.lowercased()
        }
    }

    fileprivate var letter: String {
        switch self {
        case .day: "D"
        case .week: "W"
        case .month: "M"
        case .year: "Y"
        }
    }
}
