// A purchase, a renewal or a shared purchase as StoreKit 2 hands it to the app.
// Values; any thread.

public import Foundation
import Simulation

/// A purchase of the user's, as the App Store had it when StoreKit handed it over.
public struct Transaction: Identifiable, Sendable {
    let content: Content

    /// What all copies share.
    final class Content: Sendable {
        let fact: PurchaseFact
        let place: StorePlace
        /// Each handing over is a signing of its own (S72).
        let signature: _StoreSignature

        init(_ fact: PurchaseFact, _ place: StorePlace, signedAt instant: Instant) {
            (self.fact, self.place) = (fact, place)
            signature = _StoreSignature(of: fact.purchase.id.number, in: place, at: instant)
        }
    }

    init(_ fact: PurchaseFact, _ place: StorePlace, signedAt: Instant) {
        content = Content(fact, place, signedAt: signedAt)
    }

    private var purchase: StoreTransaction { content.fact.purchase }
    private var product: CatalogProduct { content.place.catalog[purchase.product] }
    private func date(_ instant: Instant) -> Date { content.place.calendar.date(of: instant) }

    // MARK: What was bought

    /// The identifier. A renewal has one of its own.
    public var id: UInt64 { UInt64(purchase.id.number) }
    /// The identifier of the first purchase: of the subscription, or of what was bought again for nothing.
    public var originalID: UInt64 { UInt64((purchase.subscriptionStart ?? purchase.original ?? purchase.id).number) }
    /// The identifier of the renewal's order; nil unless the product is auto-renewable.
    public var webOrderLineItemID: String? { purchase.expiresAt.map { _ in "\(id)" } }
    /// The product's identifier.
    public var productID: String { product.identifier }
    /// The kind of the product.
    public var productType: Product.ProductType { Product.ProductType(product.kind) }
    /// The group of the subscription; nil unless the product is auto-renewable.
    public var subscriptionGroupID: String? { product.subscription?.groupIdentifier }
    /// The bundle identifier of the app.
    public var appBundleID: String { content.place.app.bundleIdentifier }
    /// How many were bought.
    public var purchasedQuantity: Int { purchase.quantity }
    /// Whether the purchase is a renewal.
    public var reason: Reason { purchase.origin == .renewal ? .renewal : .purchase }
    /// `reason`, as text.
    public var reasonStringRepresentation: String { reason.rawValue }
    /// Whether the user bought it, or a member of their family.
    public var ownershipType: OwnershipType { purchase.origin == .familySharing ? .familyShared : .purchased }
    /// The account in the app that the purchase was made for (S55); nil: it named none, or no UUID.
    public var appAccountToken: UUID? { purchase.applicationUsername.flatMap(UUID.init(uuidString:)) }
    /// Where it was bought.
    public var environment: AppStore.Environment { content.place.environment }
    /// The identifier of the app in the user's account: the same on all devices of the account.
    public var appTransactionID: String { content.place.appTransactionID }
    /// `environment`, as text.
    @available(iOS, deprecated: 16.0)
    public var environmentStringRepresentation: String { environment.rawValue }

    // MARK: When

    /// When the store charged the user, or the family member.
    public var purchaseDate: Date { date(purchase.at) }
    /// When the first purchase was made.
    public var originalPurchaseDate: Date { date(content.fact.originalAt) }
    /// When the subscription ends or renews; nil unless the product is auto-renewable. Grace does not change it (S68).
    public var expirationDate: Date? { (purchase.graceBeganAt ?? purchase.expiresAt).map(date) }
    /// When the store took the purchase back; nil: it did not (S12).
    public var revocationDate: Date? { purchase.revokedAt.map(date) }
    /// Why the store took the purchase back; nil: it did not.
    public var revocationReason: RevocationReason? { purchase.revokedAt.map { _ in .other } }
    /// Whether a higher level of the group has taken its place.
    public var isUpgraded: Bool { purchase.isUpgraded }
    public var _signature: _StoreSignature { content.signature }  // swift-format-ignore: NoLeadingUnderscores

    // MARK: For what price

    /// The price of all together, in `currency`; 0 if nothing was charged.
    public var price: Decimal? { content.place.catalog.amount(of: purchase) }
    /// The currency of the price.
    public var currency: Locale.Currency? { storefront.currency }
    /// The currency's code.
    @available(iOS, deprecated: 16.0)
    public var currencyCode: String? { content.place.storefront.currencyCode }
    /// Where the user shopped.
    public var storefront: Storefront { Storefront(content.place.storefront) }
    /// The code of the storefront's country.
    @available(iOS, deprecated: 17.0)
    public var storefrontCountryCode: String { content.place.storefront.countryCode }
    /// The offer that reduced the price; nil: none did.
    public var offer: Offer? { content.place.catalog.offer(of: purchase).map { Offer($0, purchase.offer) } }
    /// The kind of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerType: OfferType? { offer?.type }
    /// The identifier of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerID: String? { offer?.id }

    /// How the user paid under the offer, as text.
    @available(iOS, deprecated: 17.2)
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// The length of one of the offer's periods by ISO 8601, such as "P1W".
    @available(iOS, deprecated: 18.4)
    public var offerPeriodStringRepresentation: String? { offer?.period?.iso8601 }

    /// The transaction as JSON, with the keys of the App Store's own.
    public var jsonRepresentation: Data { SignedText.json(payload) }

    var payload: [(String, SignedText.Value)] {
        var fields: [(String, SignedText.Value)] = [
            ("transactionId", .text("\(id)")), ("originalTransactionId", .text("\(originalID)")),
            ("bundleId", .text(appBundleID)), ("productId", .text(productID)), ("type", .text(productType.rawValue)),
            ("purchaseDate", .milliseconds(purchaseDate)),
            ("originalPurchaseDate", .milliseconds(originalPurchaseDate)),
            ("quantity", .number(purchasedQuantity)), ("inAppOwnershipType", .text(ownershipType.rawValue)),
            ("transactionReason", .text(reason.rawValue)), ("environment", .text(environment.rawValue)),
            ("appTransactionId", .text(appTransactionID)), ("storefront", .text(content.place.storefront.countryCode)),
            ("storefrontId", .text(storefront.id)),
            ("currency", .text(content.place.storefront.currencyCode)),
        ]
        if let webOrderLineItemID { fields.append(("webOrderLineItemId", .text(webOrderLineItemID))) }
        if let subscriptionGroupID { fields.append(("subscriptionGroupIdentifier", .text(subscriptionGroupID))) }
        if let expirationDate { fields.append(("expiresDate", .milliseconds(expirationDate))) }
        if let revocationDate { fields.append(("revocationDate", .milliseconds(revocationDate))) }
        if let appAccountToken { fields.append(("appAccountToken", .text(appAccountToken.lowercased))) }
        if isUpgraded { fields.append(("isUpgraded", .boolean(true))) }
        if let revocationReason { fields.append(("revocationReason", .number(revocationReason.rawValue))) }
        if let price { fields.append(("price", .thousandths(price))) }
        if let offer { fields += offer.fields }
        return fields + content.signature.fields()
    }

    // MARK: Finishing

    /// Tells the App Store that the app has delivered the purchase: StoreKit hands it over no more (S40).
    ///
    /// Returns once the device has noted it; the store may hear of it later (S41, S42). Any copy will do (S43).
    public func finish() async {
        await StoreKit2Receiver.current(for: "Transaction.finish()").finish(content.fact)
    }

    /// How the subscription stands; nil unless the product is auto-renewable.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let subscriptionGroupID else { return nil }
            return await StoreKit2Receiver.current(for: "Transaction.subscriptionStatus")
                .statuses(of: subscriptionGroupID).first
        }
    }
}

extension Transaction: Hashable {
    /// Whether both are the same purchase of the same signing (S72).
    public static func == (left: Transaction, right: Transaction) -> Bool {
        left.content === right.content
            || left.content.fact.purchase == right.content.fact.purchase
                && left.content.signature == right.content.signature
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Transaction: CustomDebugStringConvertible {
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

extension Transaction: _AppStoreSigned {}
