// A client that asks a server of the real world before it delivers.
// Runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

/// Delivers what the server at `ASKED_SERVER` has answered with 200.
final class AskingClient: PlainClient, StoreClient {
    static let name = "asking"
    static let summary = "Delivers what a server has approved."

    private var completion: ((PurchaseOutcome) -> Void)?

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        self.completion = completion
        super.purchase(identifier, quantity: quantity) { _ in }
    }

    override func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let server = ProcessInfo.processInfo.environment["ASKED_SERVER"] ?? ""
        for transaction in transactions where transaction.transactionState == .purchased {
            environment.http.post(server, Data("receipt".utf8)) { result in
                guard case .success(let answer) = result, answer.status == 200 else {
                    self.completion?(.failed(message: "\(result)"))
                    return
                }
                super.paymentQueue(queue, updatedTransactions: [transaction])
                self.completion?(.purchased)
            }
        }
    }
}

/// Asks StoreKit for nothing before it has a receipt.
final class ReceiptFirstClient: PlainClient, StoreClient {
    static let name = "receipt-first"
    static let summary = "Refuses to buy without a receipt."

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard let url = CurrentDevice.appStoreReceiptURL, (try? Data(contentsOf: url)) != nil else {
            return completion(.failed(message: "no receipt"))
        }
        super.purchase(identifier, quantity: quantity, completion: completion)
    }
}
