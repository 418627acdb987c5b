// The library's façade, and the objects behind it: one set for each app process.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// In-app purchases with a receipt validator.
enum InAppPurchase {
    private static var library: IAPLibrary { .shared }

    /// Refreshes products and purchases, and starts observing the payment queue.
    static func initialize(
        iapProducts: [IAPProduct], validatorUrlString: String, iapPurchaseDelegate: any IAPPurchaseDelegate,
        applicationUsername: String? = nil
    ) {
        library.make(iapProducts, validatorUrlString, iapPurchaseDelegate, applicationUsername)
        refresh { _ in }
        library.observer?.start()
    }

    static func stop() { library.observer?.stop() }

    /// Refreshes the products and the state of purchases, unless that was done a short while ago.
    static func refresh(callback: @escaping IAPRefreshCallback) {
        guard let refresher = library.refresher else { return callback(.notInitialized) }
        refresher.refresh(callback)
    }

    static func getProducts() -> [SKProduct] { library.refresher?.products ?? [] }

    static func getProductBy(identifier: String) -> SKProduct? {
        getProducts().first { $0.productIdentifier == identifier }
    }

    static func canMakePayments() -> Bool { SKPaymentQueue.canMakePayments() }

    static func purchase(productIdentifier: String, quantity: Int, callback: @escaping IAPPurchaseCallback) {
        guard let observer = library.observer else { return callback(.refused(.libraryNotInitialized)) }
        guard let product = getProductBy(identifier: productIdentifier) else {
            return callback(.refused(.productNotFound))
        }
        observer.purchase(product, quantity: quantity, callback: callback)
    }

    static func restorePurchases(callback: @escaping IAPRefreshCallback) {
        guard let receipts = library.receipts else { return callback(.notInitialized) }
        receipts.restore(callback)
    }

    /// For the app to call once it has delivered: finishes all pending transactions of the product.
    static func finishTransactions(for productIdentifier: String) {
        library.observer?.finishTransactions(for: productIdentifier)
    }

    // MARK: What is known of purchases

    static func hasDeferredTransaction(for productIdentifier: String) -> Bool {
        library.observer?.hasDeferredTransaction(for: productIdentifier) ?? false
    }

    /// Whether the user has ever bought anything.
    static func hasAlreadyPurchased() -> Bool {
        library.products.contains { getPurchaseDate(for: $0.productIdentifier) != nil }
    }

    /// Whether the user owns a non-consumable, or is subscribed to an auto-renewable subscription.
    static func hasActivePurchase(for productIdentifier: String) -> Bool {
        guard let records = library.records else { return false }
        return library.products.contains { $0.productIdentifier == productIdentifier && records.isActive($0) }
    }

    static func hasActiveSubscription() -> Bool {
        library.products.contains {
            $0.productType == .autoRenewableSubscription && hasActivePurchase(for: $0.productIdentifier)
        }
    }

    static func getPurchaseDate(for productIdentifier: String) -> Date? {
        library.records?.purchaseDate(of: productIdentifier)
    }

    static func getExpiryDate(for productIdentifier: String) -> Date? {
        library.records?.expiryDate(of: productIdentifier)
    }
}

/// What the façade stands on. Empty until the library is initialized.
final class IAPLibrary {
    static var shared: IAPLibrary { perDevice { IAPLibrary() } }

    /// The device's storage, network and clock; set by the app before anything else.
    var environment: AppEnvironment?
    private(set) var products: [IAPProduct] = []
    private(set) var records: IAPRecords?
    private(set) var receipts: IAPReceiptService?
    private(set) var refresher: IAPRefreshService?
    private(set) var observer: IAPTransactionObserver?

    func make(
        _ products: [IAPProduct], _ validatorURL: String, _ delegate: any IAPPurchaseDelegate, _ username: String?
    ) {
        guard let environment else { return }
        let main = MainQueueHops(environment.main)
        let records = IAPRecords(environment: environment)
        let receipts = IAPReceiptService(
            environment: environment, records: records, main: main, validatorURL: validatorURL,
            applicationUsername: username)
        self.products = products
        self.records = records
        self.receipts = receipts
        refresher = IAPRefreshService(
            environment: environment, iapProducts: products, records: records, receipts: receipts, main: main)
        observer = IAPTransactionObserver(receipts: receipts, main: main, delegate: delegate)
    }
}

extension IAPRefreshResult {
    fileprivate static var notInitialized: IAPRefreshResult {
        IAPRefreshResult(state: .failed, iapError: .libraryNotInitialized)
    }
}
