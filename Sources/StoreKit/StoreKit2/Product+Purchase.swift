// Buying a product: its options, its result.
// Values; any thread, except what the main actor has.

public import Foundation
package import Simulation

extension Product {
    /// What came of a purchase that nothing kept from its end (S50).
    @nonexhaustive public enum PurchaseResult: Sendable {
        /// The user has bought the product. Deliver it, then finish the transaction.
        case success(VerificationResult<Transaction>)
        /// The user cancelled the payment sheet.
        case userCancelled
        /// An approval is missing, or something that the user has to do; the purchase may come by
        /// `Transaction.updates`.
        case pending
    }

    /// Buys the product: the App Store shows its sheet, one at a time (R10, S59).
    ///
    /// A purchase whose answer is lost throws `StoreKitError.networkError`, and comes by `Transaction.updates` (S52).
    /// Throws a `StoreKitError` or a `PurchaseError` (S51).
    @MainActor
    public func purchase(options: Set<PurchaseOption> = []) async throws -> PurchaseResult {
        try await StoreKit2Receiver.current(for: "Product.purchase(options:)").buy(self, options)
    }

    /// A particular of a purchase. Of two options of one kind the later in `PurchaseOption`'s own order counts.
    public struct PurchaseOption: Equatable, Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case quantity(Int)
            case appAccountToken(UUID)
            case promotionalOffer(id: String, SubscriptionOffer.Signature)
            case winBackOffer(SubscriptionOffer)
            /// The text of a signature that this version does not check.
            case signature(String)
            case simulatesAskToBuy(Bool)
            case onStorefrontChange(ContinuationRule)
            case custom(key: String, CustomValue)
            case purchased(Date, renews: Bool)
        }

        enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case boolean(Bool)
            case data(Data)
        }

        /// Equal only to itself.
        final class ContinuationRule: Hashable, Sendable {
            let shouldContinue: @Sendable (Storefront) -> Bool

            init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) { self.shouldContinue = shouldContinue }

            static func == (left: ContinuationRule, right: ContinuationRule) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }

        let kind: Kind

        /// Names the user's account in the app; it comes back in the transaction (S55).
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(kind: .appAccountToken(token))
        }

        /// How many are bought: of consumables and non-renewing subscriptions, ten at most (S54).
        public static func quantity(_ quantity: Int) -> PurchaseOption { PurchaseOption(kind: .quantity(quantity)) }

        /// An offer for present and former subscribers, under a signature of the app's server (R60).
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            promotionalOffer(
                offerID: offerID,
                signature: SubscriptionOffer.Signature(
                    keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature))
        }

        /// An offer for present and former subscribers, under a signature of the app's server (R60).
        public static func promotionalOffer(
            offerID: String, signature: SubscriptionOffer.Signature
        ) -> PurchaseOption {
            PurchaseOption(kind: .promotionalOffer(id: offerID, signature))
        }

        /// An offer for present and former subscribers, under a signature of the app's server as a compact JWS. Such
        /// signatures are not simulated: the purchase throws `StoreKitError.unsupported`.
        public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [PurchaseOption] {
            [PurchaseOption(kind: .signature(compactJWS))]
        }

        /// The app's server decides whether the introductory offer is granted. Such signatures are not simulated: the
        /// purchase throws `StoreKitError.unsupported`.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(kind: .signature(compactJWS))
        }

        /// An offer for former subscribers (S79). For another user the purchase throws `PurchaseError.ineligibleForOffer`,
        /// under an offer of another product `PurchaseError.invalidOfferIdentifier`.
        public static func winBackOffer(_ offer: SubscriptionOffer) -> PurchaseOption {
            PurchaseOption(kind: .winBackOffer(offer))
        }

        /// In the sandbox, the purchase waits for an approval that never comes (R38).
        public static func simulatesAskToBuyInSandbox(_ simulates: Bool) -> PurchaseOption {
            PurchaseOption(kind: .simulatesAskToBuy(simulates))
        }

        /// Decides whether the purchase goes on if the user now shops in another country; without it the purchase does
        /// (S61). Called on the device's main queue.
        @preconcurrency
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> PurchaseOption {
            PurchaseOption(kind: .onStorefrontChange(ContinuationRule(shouldContinuePurchase)))
        }

        /// StoreKitTest's `purchaseDate(_:renewalBehavior:)`.
        package static func purchased(_ date: Date, renews: Bool) -> PurchaseOption {
            PurchaseOption(kind: .purchased(date, renews: renews))
        }

        /// A value that Apple defines. The simulated store ignores it.
        public static func custom(key: String, value: String) -> PurchaseOption {
            PurchaseOption(kind: .custom(key: key, .text(value)))
        }

        /// A value that Apple defines. The simulated store ignores it.
        public static func custom(key: String, value: Double) -> PurchaseOption {
            PurchaseOption(kind: .custom(key: key, .number(value)))
        }

        /// A value that Apple defines. The simulated store ignores it.
        public static func custom(key: String, value: Bool) -> PurchaseOption {
            PurchaseOption(kind: .custom(key: key, .boolean(value)))
        }

        /// A value that Apple defines. The simulated store ignores it.
        public static func custom(key: String, value: Data) -> PurchaseOption {
            PurchaseOption(kind: .custom(key: key, .data(value)))
        }
    }
}

extension Product.PurchaseOption: CustomDebugStringConvertible {
    public var debugDescription: String { "PurchaseOption(\(kind))" }
}

/// A purchase with its options, read in an order that does not depend on the set's.
package struct PurchaseOrder {
    package private(set) var quantity = 1
    package private(set) var account: UUID?
    private(set) var discount: PaymentDiscountValue?
    /// When a test says that the purchase was made; nil: now.
    package private(set) var past: PastPurchase?
    package var offer: AppliedOffer? { discount?.applied }
    private(set) var simulatesAskToBuy = false
    private var hasSignature = false
    private(set) var continuation: Product.PurchaseOption.ContinuationRule?

    package init(_ options: Set<Product.PurchaseOption>) {
        var quantities: [Int] = []
        var accounts: [UUID] = []
        var discounts: [PaymentDiscountValue] = []
        for option in options {
            switch option.kind {
            case .quantity(let quantity): quantities.append(quantity)
            case .appAccountToken(let token): accounts.append(token)
            case .promotionalOffer(let id, let signature):
                discounts.append(
                    PaymentDiscountValue(
                        identifier: id, keyIdentifier: signature.keyID, nonce: signature.nonce,
                        signature: signature.signature.base64EncodedString(), timestamp: Int64(signature.timestamp)))
            case .simulatesAskToBuy(let simulates): simulatesAskToBuy = simulatesAskToBuy || simulates
            case .onStorefrontChange(let rule): continuation = rule
            case .winBackOffer(let offer): discounts.append(PaymentDiscountValue(winBack: offer.id ?? ""))
            case .signature: hasSignature = true
            case .purchased(let date, let renews):
                if past.map({ $0.date < date }) ?? true { past = PastPurchase(date: date, renews: renews) }
            case .custom: break
            }
        }
        quantity = quantities.max() ?? 1
        account = accounts.max { $0.uuidString < $1.uuidString }
        discount = discounts.max { ($0.identifier, $0.signature) < ($1.identifier, $1.signature) }
    }

    /// Why the store is not even asked; nil: it is.
    func mistake(for product: CatalogProduct) -> (any Error)? {
        if hasSignature { return StoreKitError.unsupported }
        // S54.
        let limit = product.kind == .consumable || product.kind == .nonRenewingSubscription ? 10 : 1
        return (1...limit).contains(quantity) ? nil : Product.PurchaseError.invalidQuantity
    }

    func payment(for product: CatalogProduct) -> PaymentValue {
        PaymentValue(
            productIdentifier: product.identifier, quantity: quantity, applicationUsername: account?.uuidString,
            simulatesAskToBuyInSandbox: simulatesAskToBuy, discount: discount, past: past)
    }
}
