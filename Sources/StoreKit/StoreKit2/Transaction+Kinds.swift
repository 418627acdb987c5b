// What a transaction says in a word: why, whose, under which offer.
// Values; any thread.

import Simulation

extension Transaction {
    /// Why the store made a transaction.
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user bought it.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The subscription was renewed.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Who bought it.
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The user.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A member of the family.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    }

    /// Why the store took a purchase back.
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The app did not work.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = RevocationReason(rawValue: 0)
    }

    /// The kind of an offer.
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// For new subscribers.
        public static let introductory = OfferType(rawValue: 1)
        /// For present and former subscribers, under a signature.
        public static let promotional = OfferType(rawValue: 2)
        /// Redeemed with a code.
        public static let code = OfferType(rawValue: 3)
        /// For former subscribers.
        public static let winBack = OfferType(rawValue: 4)
    }

    /// The offer that a purchase was made under.
    public struct Offer: Equatable, Hashable, Sendable {
        /// How the user paid.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }

            /// Nothing.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// The price for each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// The price once, for all periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// The price once, for a product without periods.
            public static let oneTime = PaymentMode(rawValue: "ONE_TIME")
        }

        /// The identifier; nil in an introductory offer.
        public let id: String?
        /// The kind.
        public let type: OfferType
        /// How the user paid.
        public let paymentMode: PaymentMode?
        /// The length of one period.
        public let period: Product.SubscriptionPeriod?

        var fields: [(String, SignedText.Value)] {
            var fields: [(String, SignedText.Value)] = [("offerType", .number(type.rawValue))]
            if let id { fields.append(("offerIdentifier", .text(id))) }
            if let paymentMode { fields.append(("offerDiscountType", .text(paymentMode.rawValue))) }
            if let period { fields.append(("offerPeriod", .text(period.iso8601))) }
            return fields
        }

        init(_ offer: CatalogOffer, _ applied: AppliedOffer?) {
            id = offer.identifier ?? offer.referenceName
            switch applied {
            case .introductory, nil: type = .introductory
            case .promotional: type = .promotional
            case .code: type = .code
            case .winBack: type = .winBack
            }
            switch offer.paymentMode {
            case .freeTrial: paymentMode = .freeTrial
            case .payAsYouGo: paymentMode = .payAsYouGo
            case .payUpFront: paymentMode = .payUpFront
            }
            period = Product.SubscriptionPeriod(offer.period)
        }
    }
}

extension Transaction {
    /// The reason why the store refuses a request for a refund (S77).
    @nonexhaustive public enum RefundRequestError: Error, Sendable, Equatable, Hashable {
        /// The user has asked for it before.
        case duplicateRequest
        /// The request failed.
        case failed
    }
}

extension Transaction.RefundRequestError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .duplicateRequest: "A refund was requested before."
        case .failed: "The refund could not be requested."
        }
    }
}
