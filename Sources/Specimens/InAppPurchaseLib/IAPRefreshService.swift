// The list of products, and the refresh that is not to happen too often.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// Refreshes the list of products and validates the receipt: at most once an hour, or once a minute if a subscription
/// has just run out.
final class IAPRefreshService: NSObject, SKProductsRequestDelegate {
    private(set) var products: [SKProduct] = []

    private let environment: AppEnvironment
    private let iapProducts: [IAPProduct]
    private let records: IAPRecords
    private let receipts: IAPReceiptService
    private let main: MainQueueHops
    private var request: SKProductsRequest?
    private var callbacks: [IAPRefreshCallback] = []
    /// Of this launch: the products are kept in memory only. One that failed does not count.
    private var latestRefresh: Date?

    private static let usualPause: TimeInterval = 60 * 60
    private static let pauseAfterExpiry: TimeInterval = 60

    init(
        environment: AppEnvironment, iapProducts: [IAPProduct], records: IAPRecords, receipts: IAPReceiptService,
        main: MainQueueHops
    ) {
        self.environment = environment
        self.iapProducts = iapProducts
        self.records = records
        self.receipts = receipts
        self.main = main
    }

    func refresh(_ callback: @escaping IAPRefreshCallback) {
        if !callbacks.isEmpty { return callbacks.append(callback) }
        guard isDue else { return callback(IAPRefreshResult(state: .skipped)) }
        callbacks.append(callback)
        let request = SKProductsRequest(productIdentifiers: Set(iapProducts.map(\.productIdentifier)))
        request.delegate = self
        self.request = request
        request.start()
    }

    private var isDue: Bool {
        guard let latestRefresh else { return true }
        let pause = iapProducts.contains(where: records.hasJustExpired) ? Self.pauseAfterExpiry : Self.usualPause
        return environment.now.timeIntervalSince(latestRefresh) >= pause
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        let found = response.products
        main.inOrder { [weak self] in
            self?.products = found
            self?.receipts.validate { validation in
                switch validation {
                case .success:
                    self?.latestRefresh = self?.environment.now
                    self?.end(IAPRefreshResult(state: .succeeded))
                case .failure(let error):
                    self?.end(IAPRefreshResult(state: .failed, iapError: error))
                }
            }
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let result = IAPRefreshResult(state: .failed, iapError: .refreshProductsFailed(error.localizedDescription))
        main.inOrder { [weak self] in self?.end(result) }
    }

    private func end(_ result: IAPRefreshResult) {
        request = nil
        let waiting = callbacks
        callbacks = []
        for callback in waiting { callback(result) }
    }
}
