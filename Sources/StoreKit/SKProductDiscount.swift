// Reduced prices of a subscription, and the length of a period.
// Constants, except values that a test sets by key before it shares the object; any thread.

@_exported public import CStoreKit
public import Foundation
import Simulation

/// The length of a subscription's period.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {  // Guard: constants.
    /// Set where the period is made, and never again.
    private var length: CalendarPeriod?
    private var keyed = KeyedValues()

    /// A period of no time, for subclasses that override the getters.
    public override init() {
        length = nil
        super.init()
    }

    convenience init(_ length: CalendarPeriod) {
        self.init()
        self.length = length
    }

    /// How many units of `unit` the period lasts.
    open var numberOfUnits: Int { keyed["numberOfUnits"] ?? length?.count ?? 0 }
    /// The calendar unit of the period: days, weeks, months or years.
    open var unit: SKProduct.PeriodUnit {
        if let set: SKProduct.PeriodUnit = keyed["unit"] { return set }
        switch length?.unit {
        case .day, nil: return .day
        case .week: return .week
        case .month: return .month
        case .year: return .year
        }
    }

    /// Sets a property by key, for a period that a test has made. `unit` can be set by raw value too.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "numberOfUnits": keyed.set(key, to: value, as: Int.self, of: self)
        case "unit": keyed.setCase(key, to: value, as: SKProduct.PeriodUnit.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}

/// An introductory or a promotional offer of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {  // Guard: constants.
    /// How the user pays for an offer.
    public typealias PaymentMode = SKProductDiscountPaymentMode
    /// The kind of an offer: introductory, or for present and former subscribers.
    public typealias `Type` = SKProductDiscountType

    // Set where the discount is made, and never again.
    private var offer: CatalogOffer?
    private var kind: SKProductDiscountType
    private var storefront: StorefrontValue
    private var locale: String
    private var period: SKProductSubscriptionPeriod
    private var keyed = KeyedValues()

    /// An offer of nothing, for subclasses that override the getters.
    public override init() {
        offer = nil
        kind = .introductory
        storefront = .unitedStates
        locale = "en_US"
        period = SKProductSubscriptionPeriod()
        super.init()
    }

    convenience init(_ offer: CatalogOffer, type: SKProductDiscountType, storefront: StorefrontValue, locale: String) {
        self.init()
        self.offer = offer
        kind = type
        self.storefront = storefront
        self.locale = locale
        period = SKProductSubscriptionPeriod(offer.period)
    }

    /// The price in the storefront's currency; zero in a free trial (R55).
    open var price: NSDecimalNumber { keyed["price"] ?? NSDecimalNumber(decimal: offer?.price ?? 0) }
    /// The locale that formats `price`, as in `SKProduct` (R55).
    open var priceLocale: Locale { keyed["priceLocale"] ?? storefront.priceLocale(language: locale) }
    /// The identifier by which a signature names the offer (R60); nil in an introductory offer.
    open var identifier: String? { keyed.value("identifier", else: offer?.identifier) }
    /// How long the price, or one payment of it, lasts.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { keyed["subscriptionPeriod"] ?? period }
    /// How many periods the offer lasts.
    open var numberOfPeriods: Int { keyed["numberOfPeriods"] ?? offer?.numberOfPeriods ?? 0 }
    /// Whether the user pays for each period, once in advance, or nothing.
    open var paymentMode: PaymentMode {
        if let set: PaymentMode = keyed["paymentMode"] { return set }
        switch offer?.paymentMode {
        case .payAsYouGo, nil: return .payAsYouGo
        case .payUpFront: return .payUpFront
        case .freeTrial: return .freeTrial
        }
    }
    /// The kind of the offer, which says who may use it.
    open var type: SKProductDiscount.`Type` { keyed["type"] ?? kind }

    /// Sets a property by key, for an offer that a test has made.
    /// `price` can be set from a `Double` too, enumerations by raw value.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "price": keyed.set(key, to: value, as: NSDecimalNumber.self, of: self)
        case "priceLocale": keyed.set(key, to: value, as: Locale.self, of: self)
        case "identifier": keyed.setOptional(key, to: value, as: String.self, of: self)
        case "subscriptionPeriod": keyed.set(key, to: value, as: SKProductSubscriptionPeriod.self, of: self)
        case "numberOfPeriods": keyed.set(key, to: value, as: Int.self, of: self)
        case "paymentMode": keyed.setCase(key, to: value, as: PaymentMode.self, of: self)
        case "type": keyed.setCase(key, to: value, as: SKProductDiscountType.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}
