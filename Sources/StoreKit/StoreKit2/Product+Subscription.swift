// What a product says of its subscription: group, period, offers.
// Values; any thread.

public import Foundation
import Simulation

extension Product {
    /// The terms of an auto-renewable subscription.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        /// The offer for new subscribers. It does not say whether this user is one: `isEligibleForIntroOffer`.
        public let introductoryOffer: SubscriptionOffer?
        /// The offers for present and former subscribers, in the catalog's order.
        public let promotionalOffers: [SubscriptionOffer]
        /// The offers for former subscribers, in the catalog's order. Which of them this user may take is in
        /// `RenewalInfo.eligibleWinBackOfferIDs` (S79).
        public let winBackOffers: [SubscriptionOffer]
        /// The identifier of the group: a user has one subscription of each.
        public let subscriptionGroupID: String
        /// The length of a period.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The level in the group; 1 is the highest.
        public let groupLevel: Int
        /// The name of the group.
        public let groupDisplayName: String

        init(_ terms: CatalogProduct.Subscription, storefront: StorefrontValue, locale: String) {
            introductoryOffer = terms.introductoryOffer.map {
                SubscriptionOffer($0, .introductory, storefront, locale)
            }
            promotionalOffers = terms.promotionalOffers.map { SubscriptionOffer($0, .promotional, storefront, locale) }
            winBackOffers = terms.winBackOffers.map { SubscriptionOffer($0, .winBack, storefront, locale) }
            subscriptionGroupID = terms.groupIdentifier
            subscriptionPeriod = SubscriptionPeriod(terms.period)
            groupLevel = terms.level
            groupDisplayName = terms.groupIdentifier
        }

        /// Whether the user may still use an introductory offer of the group: they never subscribed in it (S62).
        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }

        /// Whether the user may still use an introductory offer of a group (S62).
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            let receiver = StoreKit2Receiver.current(for: "SubscriptionInfo.isEligibleForIntroOffer(for:)")
            let record = await receiver.readRecord().record
            let catalog = receiver.catalog
            return !record.purchases.contains { catalog[$0.product].subscription?.groupIdentifier == groupID }
        }
    }

    /// The length of a subscription's period.
    public struct SubscriptionPeriod: Equatable, Hashable, Sendable, CustomDebugStringConvertible {
        /// A unit of the calendar.
        @nonexhaustive public enum Unit: Equatable, Hashable, Sendable, Comparable {
            case day, week, month, year
        }

        /// The unit.
        public let unit: Unit
        /// How many units.
        public let value: Int

        init(value: Int, unit: Unit) { (self.value, self.unit) = (value, unit) }

        init(_ period: CalendarPeriod) {
            value = period.count
            switch period.unit {
            case .day: unit = .day
            case .week: unit = .week
            case .month: unit = .month
            case .year: unit = .year
            }
        }

        /// One week.
        public static let weekly = SubscriptionPeriod(value: 1, unit: .week)
        /// One month.
        public static let monthly = SubscriptionPeriod(value: 1, unit: .month)
        /// One year.
        public static let yearly = SubscriptionPeriod(value: 1, unit: .year)
        /// Three days.
        public static let everyThreeDays = SubscriptionPeriod(value: 3, unit: .day)
        /// Two weeks.
        public static let everyTwoWeeks = SubscriptionPeriod(value: 2, unit: .week)
        /// Two months.
        public static let everyTwoMonths = SubscriptionPeriod(value: 2, unit: .month)
        /// Three months.
        public static let everyThreeMonths = SubscriptionPeriod(value: 3, unit: .month)
        /// Six months.
        public static let everySixMonths = SubscriptionPeriod(value: 6, unit: .month)

        public var debugDescription: String { "\(value) \(unit)" }
    }

    /// A reduced price of a subscription.
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        /// The kind of an offer.
        public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            /// For new subscribers.
            public static let introductory = OfferType(rawValue: "Introductory")
            /// For present and former subscribers, under a signature.
            public static let promotional = OfferType(rawValue: "Promotional")
            /// For former subscribers.
            public static let winBack = OfferType(rawValue: "WinBack")
        }

        /// How the user pays for an offer.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The price for each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            /// The price once, for all periods.
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            /// Nothing.
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")
        }

        /// The identifier by which purchases name the offer; nil in an introductory offer.
        public let id: String?
        /// The kind of the offer.
        public let type: OfferType
        /// The price in the storefront's currency.
        public let price: Decimal
        /// The price as text, with its currency.
        public var displayPrice: String { price.formatted(priceFormatStyle) }
        /// How long the price, or one payment of it, lasts.
        public let period: SubscriptionPeriod
        /// How many periods the offer lasts.
        public let periodCount: Int
        /// How the user pays.
        public let paymentMode: PaymentMode
        private let priceFormatStyle: Decimal.FormatStyle.Currency

        init(_ offer: CatalogOffer, _ type: OfferType, _ storefront: StorefrontValue, _ locale: String) {
            id = offer.identifier
            self.type = type
            price = offer.price
            period = SubscriptionPeriod(offer.period)
            periodCount = offer.numberOfPeriods
            switch offer.paymentMode {
            case .payAsYouGo: paymentMode = .payAsYouGo
            case .payUpFront: paymentMode = .payUpFront
            case .freeTrial: paymentMode = .freeTrial
            }
            priceFormatStyle = Decimal.FormatStyle.Currency(
                code: storefront.currencyCode, locale: storefront.priceLocale(language: locale))
        }

        /// What an app's server signs for an offer.
        public struct Signature: Equatable, Hashable, Sendable {
            /// The identifier of the developer's key.
            public var keyID: String
            /// A random value that makes the signature good for one purchase.
            public var nonce: UUID
            /// When the server signed, in milliseconds since 1970.
            public var timestamp: Int
            /// The signature, DER encoded.
            public var signature: Data

            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                (self.keyID, self.nonce, self.timestamp, self.signature) = (keyID, nonce, timestamp, signature)
            }
        }
    }
}

/// The terms of an auto-renewable subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// The length of a subscription's period.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod
/// How a subscription stands.
public typealias SubscriptionStatus = Product.SubscriptionInfo.Status
/// What a subscription renews to, and when.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo
/// The state of a subscription.
public typealias SubscriptionRenewalState = Product.SubscriptionInfo.RenewalState
