// The receipt of a simulated device, for code that would have a parser read it.

import PackageName
import Stampede

@Sendable func simulatedReceipt() -> [ReceiptPurchase] {
    let environment = AppEnvironment.current
    return (environment.receipt?.inApp ?? []).map {
        ReceiptPurchase(
            transaction: $0.transactionIdentifier, product: $0.productIdentifier,
            isValid: $0.isValid(at: environment.now))
    }
}
