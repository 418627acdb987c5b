// How a StoreKit configuration file wants its test store to behave.
// Values; what a file does not set is off.

/// The settings of a configuration file, but for the storefront and the language, which are the catalog's.
package struct CatalogSettings: Sendable, Equatable {
    /// Every purchase needs approval (R35).
    package var asksToBuy = false
    /// Renewals that fail leave a period of grace (R48).
    package var hasBillingGracePeriod = false
    /// Every purchase fails until the user has settled something outside the app (R40).
    package var interruptsPurchases = false
    /// Renewals fail into billing retry (R48).
    package var failsRenewals = false
    /// No sheets: everything is confirmed at once.
    package var disablesDialogs = false
    /// Every payment fails.
    package var failsTransactions = false
    package var timeRate: SubscriptionTimeRate = .realTime
    /// Failures that are switched on, in the order of the file.
    package var errors: [SimulatedError] = []

    package init() {}

    /// A call that fails.
    package struct SimulatedError: Sendable, Equatable {
        /// The file's name of it, such as "Load Products".
        package let call: String
        /// Which error, by its number in the file; what the numbers mean is documented nowhere. Nil: the file
        /// does not say.
        package let index: Int?

        package init(call: String, index: Int?) {
            self.call = call
            self.index = index
        }
    }
}

/// How fast subscriptions renew, under the numbers of `SKTestSession.TimeRate`.
package enum SubscriptionTimeRate: Sendable, Equatable {
    case realTime
    /// A day of the calendar takes this long.
    case day(Span)
    /// A month of the calendar takes this long.
    case month(Span)
    /// Every period takes this long, whatever its length.
    case renewal(Span)

    /// Nil for a number that is not in the table.
    package init?(number: Int) {
        guard let rate = Self.rates[number] else { return nil }
        self = rate
    }

    package static var knownNumbers: [Int] { rates.keys.sorted() }

    private static let rates: [Int: SubscriptionTimeRate] = [
        0: .realTime,
        1: .day(.hours(1)), 2: .day(.minutes(30)), 3: .day(.minutes(5)), 4: .day(.minutes(1)),
        5: .day(.seconds(30)), 6: .day(.seconds(1)),
        10: .month(.hours(1)), 11: .month(.minutes(30)), 12: .month(.minutes(15)), 13: .month(.minutes(5)),
        15: .month(.seconds(30)),
        1000: .renewal(.minutes(15)), 1001: .renewal(.minutes(5)), 1002: .renewal(.minutes(1)),
        1003: .renewal(.seconds(30)), 1004: .renewal(.seconds(10)), 1005: .renewal(.seconds(2)),
    ]
}

extension SubscriptionTimeRate {
    /// How long a day of the store's calendar takes.
    package var day: Span {
        switch self {
        case .realTime: return .hours(24)
        case .day(let span): return span
        case .month(let span): return Span(nanoseconds: span.nanoseconds / 30)
        // Nothing but renewals is accelerated by a rule of its own; a month stands for a period.
        case .renewal(let span): return Span(nanoseconds: max(1, span.nanoseconds / 30))
        }
    }

    /// How long a period takes. Months have thirty days and years 365: a test wants equal periods.
    package func length(of period: CalendarPeriod) -> Span {
        if case .renewal(let span) = self { return span }
        let days: Int64
        switch period.unit {
        case .day: days = 1
        case .week: days = 7
        case .month: days = 30
        case .year: days = 365
        }
        return Span(nanoseconds: max(1, day.nanoseconds * days * Int64(period.count)))
    }

    /// A length of the store's time on the timeline.
    package func scaled(_ span: Span) -> Span {
        let hour = Double(Span.hours(24).nanoseconds)
        return Span(nanoseconds: Int64(Double(span.nanoseconds) * Double(day.nanoseconds) / hour))
    }
}
