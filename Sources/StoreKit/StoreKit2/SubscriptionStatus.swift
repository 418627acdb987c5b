// How a subscription stands, and what it renews to.
// Values; any thread.

public import Foundation
import Simulation

extension Product.SubscriptionInfo {
    /// How the subscription's group stands for this user: empty if they never subscribed in it (S65).
    public var status: [Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// How a group stands for this user: empty if they never subscribed in it (S65).
    public static func status(for groupID: String) async throws -> [Status] {
        let receiver = StoreKit2Receiver.current(for: "SubscriptionInfo.status(for:)")
        if let error = SimulatedErrors.now.status { throw error }
        return await receiver.statuses(of: groupID)
    }

    /// How the subscription of a transaction stands; nil: the device does not know the transaction, or it is of none.
    public static func status(transactionID: UInt64) async throws -> Status? {
        let receiver = StoreKit2Receiver.current(for: "SubscriptionInfo.status(transactionID:)")
        if let error = SimulatedErrors.now.status { throw error }
        return await receiver.status(of: transactionID)
    }

    /// The state of a subscription (S66).
    public struct RenewalState: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It runs.
        public static let subscribed = RenewalState(rawValue: 1)
        /// It has ended.
        public static let expired = RenewalState(rawValue: 2)
        /// A renewal could not be paid, and the service rests.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// A renewal could not be paid, and the service goes on for a while.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The store took it back.
        public static let revoked = RenewalState(rawValue: 5)
    }

    /// How a subscription stands.
    public struct Status: Equatable, Hashable, Sendable {
        /// The state.
        public let state: RenewalState
        /// The latest transaction.
        public let transaction: VerificationResult<Transaction>
        /// What it renews to.
        public let renewalInfo: VerificationResult<RenewalInfo>

        /// The statuses that change while the app runs, each as it is then (S64). It has no end.
        public static var updates: Statuses { Statuses() }

        /// How each group stands that the user ever subscribed in, in the order of the identifiers.
        public static var all: AsyncStream<(groupID: String, statuses: [Status])> {
            let groups = GroupReader()
            return AsyncStream { await groups.next() }
        }

        /// The groups of the device's record, one after the other.
        private actor GroupReader {
            private var groups: ArraySlice<String>?

            func next() async -> (groupID: String, statuses: [Status])? {
                let receiver = StoreKit2Receiver.current(for: "SubscriptionInfo.Status.all")
                if groups == nil {
                    let subscriptions = await receiver.readRecord().record.subscriptions
                    groups = Set(subscriptions.map(\.group)).sorted()[...]
                }
                guard let group = groups?.popFirst() else { return nil }
                return (group, await receiver.statuses(of: group))
            }
        }

        /// A sequence of statuses.
        public struct Statuses: AsyncSequence, Sendable {
            public typealias Element = Status

            public func makeAsyncIterator() -> AsyncIterator {
                AsyncIterator(
                    feed: StoreKit2Receiver.current(for: "SubscriptionInfo.Status.updates").statusFeed())
            }

            /// One reader of the sequence.
            public struct AsyncIterator: AsyncIteratorProtocol {
                let feed: Feed<String, String>

                /// The next status; nil once the task is cancelled.
                public mutating func next() async -> Status? {
                    while let group = await feed.next() {
                        if let status = await feed.receiver?.statuses(of: group).first { return status }
                    }
                    return nil
                }
            }
        }
    }

    /// What a subscription renews to, and when.
    public struct RenewalInfo: Equatable, Hashable, Sendable {
        /// Why a subscription ended (S67).
        public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: Int
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// The user turned the renewal off.
            public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
            /// The renewal could not be paid.
            public static let billingError = ExpirationReason(rawValue: 2)
            /// The user did not agree to a higher price.
            public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
            /// The product is no longer sold.
            public static let productUnavailable = ExpirationReason(rawValue: 4)
            /// Another reason.
            public static let unknown = ExpirationReason(rawValue: 5)
        }

        /// Whether the user agrees to a higher price (R52).
        @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable {
            /// The price stays.
            case noIncreasePending
            /// The user has not agreed yet.
            case pending
            /// The user has agreed.
            case agreed
        }

        /// The first transaction of the subscription.
        public let originalTransactionID: UInt64
        /// The product of the running period.
        public let currentProductID: String
        /// Whether it renews.
        public let willAutoRenew: Bool
        /// What the next period will be of; nil: it does not renew (S58).
        public let autoRenewPreference: String?
        /// Why it ended; nil: it runs.
        public let expirationReason: ExpirationReason?
        /// Whether the user agrees to a higher price.
        public let priceIncreaseStatus: PriceIncreaseStatus
        /// Whether the store still tries to charge the renewal.
        public let isInBillingRetry: Bool
        /// When the grace period ends; nil outside one.
        public let gracePeriodExpirationDate: Date?
        /// When the next period begins; nil: it does not renew.
        public let renewalDate: Date?
        /// When the user subscribed, without a gap of more than 60 days since (S69).
        public let recentSubscriptionStartDate: Date
        /// The account in the app that the subscription was bought for; nil: none.
        public let appAccountToken: UUID?
        public let _signature: _StoreSignature  // swift-format-ignore: NoLeadingUnderscores
        /// Where it was bought.
        public let environment: AppStore.Environment

        /// The identifier of the app in the user's account: the same on all devices of the account.
        public let appTransactionID: String
        /// The offer that the next period will be under; nil: none.
        public let offer: Transaction.Offer?
        /// The win-back offers that the user may take, in the catalog's order; empty while subscribed (S79).
        public let eligibleWinBackOfferIDs: [String]
        /// The price of the next period, in `currency`; nil: it does not renew.
        public let renewalPrice: Decimal?
        /// The currency of that price; nil: it does not renew.
        public let currency: Locale.Currency?

        /// The kind of `offer`.
        @available(iOS, deprecated: 18.0)
        public var offerType: Transaction.OfferType? { offer?.type }
        /// The identifier of `offer`.
        @available(iOS, deprecated: 18.0)
        public var offerID: String? { offer?.id }
        /// How the user will pay under `offer`, as text.
        @available(iOS, deprecated: 18.0)
        public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
        /// The length of one of the offer's periods by ISO 8601, such as "P1W".
        @available(iOS, deprecated: 18.4)
        public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }
        /// The code of `currency`.
        @available(iOS, deprecated: 16.0)
        public var currencyCode: String? { currency?.identifier }
        /// `environment`, as text.
        @available(iOS, deprecated: 16.0)
        public var environmentStringRepresentation: String { environment.rawValue }

        /// The renewal information as JSON, with the keys of the App Store's own.
        public var jsonRepresentation: Data {
            var fields: [(String, SignedText.Value)] = [
                ("originalTransactionId", .text("\(originalTransactionID)")), ("productId", .text(currentProductID)),
                ("autoRenewStatus", .number(willAutoRenew ? 1 : 0)),
                ("isInBillingRetryPeriod", .boolean(isInBillingRetry)),
                ("environment", .text(environment.rawValue)), ("appTransactionId", .text(appTransactionID)),
                ("recentSubscriptionStartDate", .milliseconds(recentSubscriptionStartDate)),
            ]
            if let autoRenewPreference { fields.append(("autoRenewProductId", .text(autoRenewPreference))) }
            if let expirationReason { fields.append(("expirationIntent", .number(expirationReason.rawValue))) }
            if let gracePeriodExpirationDate {
                fields.append(("gracePeriodExpiresDate", .milliseconds(gracePeriodExpirationDate)))
            }
            if let renewalDate { fields.append(("renewalDate", .milliseconds(renewalDate))) }
            if let appAccountToken {
                fields.append(("appAccountToken", .text(appAccountToken.lowercased)))
            }
            if let currency { fields.append(("currency", .text(currency.identifier))) }
            if let renewalPrice { fields.append(("renewalPrice", .thousandths(renewalPrice))) }
            if let offer { fields += offer.fields }
            if !eligibleWinBackOfferIDs.isEmpty {
                fields.append(("eligibleWinBackOfferIds", .texts(eligibleWinBackOfferIDs)))
            }
            switch priceIncreaseStatus {
            case .noIncreasePending: break
            case .pending: fields.append(("priceIncreaseStatus", .number(0)))
            case .agreed: fields.append(("priceIncreaseStatus", .number(1)))
            }
            return SignedText.json(fields + _signature.fields())
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Product.SubscriptionInfo.RenewalInfo: _AppStoreSigned {}

extension Product.SubscriptionInfo.Status {
    init(_ facts: SubscriptionFacts, _ latest: PurchaseFact, _ place: StorePlace, at now: Instant) {
        state = Self.state(facts, latest.purchase, at: now)
        let renewal = Product.SubscriptionInfo.RenewalInfo(
            facts, latest, place, isInGrace: state == .inGracePeriod, at: now)
        transaction = VerificationResult(Transaction(latest, place, signedAt: now), from: place)
        renewalInfo = VerificationResult(renewal, from: place)
    }

    private static func state(
        _ facts: SubscriptionFacts, _ latest: StoreTransaction, at now: Instant
    ) -> Product.SubscriptionInfo.RenewalState {
        if latest.revokedAt != nil { return .revoked }
        if facts.isInRetry {
            return latest.graceBeganAt != nil && !latest.isOver(at: now) ? .inGracePeriod : .inBillingRetryPeriod
        }
        return facts.ending == nil && !latest.isOver(at: now) ? .subscribed : .expired
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    init(
        _ facts: SubscriptionFacts, _ latest: PurchaseFact, _ place: StorePlace, isInGrace: Bool, at now: Instant
    ) {
        originalTransactionID = UInt64(facts.start.number)
        currentProductID = place.catalog[facts.product].identifier
        willAutoRenew = facts.renews
        autoRenewPreference = facts.renews ? place.catalog[facts.nextProduct].identifier : nil
        switch facts.ending {
        case .autoRenewDisabled: expirationReason = .autoRenewDisabled
        case .billingError: expirationReason = .billingError
        case .noConsent: expirationReason = .didNotConsentToPriceIncrease
        case nil: expirationReason = facts.isInRetry ? .billingError : nil
        }
        priceIncreaseStatus = facts.hasConsent.map { $0 ? .agreed : .pending } ?? .noIncreasePending
        isInBillingRetry = facts.isInRetry
        gracePeriodExpirationDate = isInGrace ? latest.purchase.expiresAt.map { place.calendar.date(of: $0) } : nil
        renewalDate = facts.renews ? place.calendar.date(of: facts.expiresAt) : nil
        recentSubscriptionStartDate = place.calendar.date(of: facts.recentStart)
        appAccountToken = latest.purchase.applicationUsername.flatMap(UUID.init(uuidString:))
        _signature = _StoreSignature(of: facts.start.number, in: place, at: now)
        environment = place.environment
        appTransactionID = place.appTransactionID
        let winBack = facts.ending == nil ? nil : place.catalog[facts.product].subscription?.winBackOffers
        eligibleWinBackOfferIDs = winBack?.compactMap(\.identifier) ?? []
        let terms = facts.nextOffer.flatMap { place.catalog.offer($0, of: facts.nextProduct) }
        offer = facts.renews ? terms.map { Transaction.Offer($0, facts.nextOffer) } : nil
        let price = terms?.price ?? place.catalog[facts.nextProduct].price
        renewalPrice = facts.renews ? price * Decimal(latest.purchase.quantity) : nil
        currency = facts.renews ? Locale.Currency(place.storefront.currencyCode) : nil
    }
}
