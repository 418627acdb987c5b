// A shop with subscriptions of several levels and with offers, for tests of what happens over time.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

enum Services {
    static let plus = "com.example.plus"
    static let pro = "com.example.pro.month"
    /// Another product of the same level and length.
    static let twin = "com.example.pro.twin"
    /// The same level, longer.
    static let year = "com.example.pro.year"
    static let lite = "com.example.lite"
    static let hat = "com.example.hat"
    static let coins = "com.example.coins"
    static let pass = "com.example.pass"

    static let month = Span.hours(24 * 30)

    static func catalog(
        introductory: CatalogOffer? = nil, promotional: [CatalogOffer] = [], codes: [CatalogOffer] = [],
        winBack: [CatalogOffer] = [], offerKey: OfferKey? = nil
    ) -> Catalog {
        var products: [CatalogProduct] = []
        func add(_ identifier: String, _ kind: ProductKind, _ terms: CatalogProduct.Subscription? = nil) {
            products.append(
                CatalogProduct(
                    index: products.count, identifier: identifier, kind: kind, referenceName: identifier, price: 5,
                    isFamilyShareable: identifier != pass, localizations: [], subscription: terms))
        }
        func terms(_ level: Int, _ unit: CalendarPeriod.Unit = .month) -> CatalogProduct.Subscription {
            .init(groupIdentifier: "group", level: level, period: .init(count: 1, unit: unit))
        }
        add(plus, .autoRenewableSubscription, terms(1))
        add(
            pro, .autoRenewableSubscription,
            .init(
                groupIdentifier: "group", level: 2, period: .init(count: 1, unit: .month),
                introductoryOffer: introductory, promotionalOffers: promotional, codeOffers: codes,
                winBackOffers: winBack))
        add(twin, .autoRenewableSubscription, terms(2))
        add(year, .autoRenewableSubscription, terms(2, .year))
        add(lite, .autoRenewableSubscription, terms(3))
        add(hat, .nonConsumable)
        add(coins, .consumable)
        add(pass, .nonRenewingSubscription)
        return Catalog(products: products, storefront: .unitedStates, locale: "en_US", offerKey: offerKey)
    }

    /// A week for nothing, for those who have a code.
    static func code(_ name: String, _ eligibility: [CatalogOffer.Eligibility]) -> CatalogOffer {
        CatalogOffer(
            referenceName: name, paymentMode: .freeTrial, price: 0, period: .init(count: 1, unit: .week),
            eligibility: eligibility)
    }

    static func index(_ identifier: String) -> ProductIndex {
        catalog().index(of: identifier)!  // The tests name what the catalog holds.
    }
}

extension TestDevice {
    /// A device in that shop.
    static func inServices(_ change: (inout TestConditions) -> Void = { _ in }) -> TestDevice {
        TestDevice {
            $0.catalog = Services.catalog()
            change(&$0)
        }
    }

    func perform(_ action: AccountAction) { store.perform(action, user: 0) }
}

/// Says what it is asked and told beside transactions, and answers as it is told to.
final class Attendant: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    /// What it was told and asked, in order.
    private(set) var heard: [String] = []
    private(set) var promoted: [SKPayment] = []
    private(set) var states: [SKPaymentTransactionState] = []
    private(set) var failures: [(any Error)?] = []
    var answer = true
    var onRevocation: (() -> Void)?

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            states.append(transaction.transactionState)
            if transaction.transactionState == .failed { failures.append(transaction.error) }
            if transaction.transactionState != .purchasing { queue.finishTransaction(transaction) }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        heard.append("promoted \(product.productIdentifier)")
        promoted.append(payment)
        return answer
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        heard.append("storefront \(queue.storefront?.countryCode ?? "")")
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        heard += productIdentifiers.map { "revoked \($0)" }
        onRevocation?()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) { heard.append("downloads") }

    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        heard.append("continue in \(newStorefront.countryCode)")
        return answer
    }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        heard.append("consent")
        return answer
    }
}
