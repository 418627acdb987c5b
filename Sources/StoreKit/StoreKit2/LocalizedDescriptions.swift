// What StoreKit 2 calls its values before people. English, whatever the device's language.
// Pure; any thread.

extension Product.ProductType {
    /// The kind in words.
    public var localizedDescription: String { rawValue }
}

extension Product.SubscriptionPeriod.Unit {
    /// The unit in words.
    public var localizedDescription: String {
        switch self {
        case .day: "Day"
        case .week: "Week"
        case .month: "Month"
        case .year: "Year"
        }
    }
}

extension Product.SubscriptionOffer.PaymentMode {
    /// The way of paying in words.
    public var localizedDescription: String {
        switch self {
        case .payAsYouGo: "Pay As You Go"
        case .payUpFront: "Pay Up Front"
        case .freeTrial: "Free Trial"
        default: rawValue
        }
    }
}

extension Product.SubscriptionOffer.OfferType {
    /// The kind in words.
    public var localizedDescription: String {
        switch self {
        case .winBack: "Win-Back"
        default: rawValue
        }
    }
}

extension Product.SubscriptionInfo.RenewalState {
    /// The state in words.
    public var localizedDescription: String {
        switch self {
        case .subscribed: "Subscribed"
        case .expired: "Expired"
        case .inBillingRetryPeriod: "In Billing Retry Period"
        case .inGracePeriod: "In Grace Period"
        case .revoked: "Revoked"
        default: "\(rawValue)"
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo.ExpirationReason {
    /// The reason in words.
    public var localizedDescription: String {
        switch self {
        case .autoRenewDisabled: "Auto-Renewal Disabled"
        case .billingError: "Billing Error"
        case .didNotConsentToPriceIncrease: "Did Not Consent to Price Increase"
        case .productUnavailable: "Product Unavailable"
        default: "Unknown"
        }
    }
}

extension Transaction.OfferType {
    /// The kind in words.
    public var localizedDescription: String {
        switch self {
        case .introductory: "Introductory"
        case .promotional: "Promotional"
        case .code: "Offer Code"
        case .winBack: "Win-Back"
        default: "\(rawValue)"
        }
    }
}

extension Transaction.RevocationReason {
    /// The reason in words.
    public var localizedDescription: String { self == .developerIssue ? "Developer Issue" : "Other" }
}
