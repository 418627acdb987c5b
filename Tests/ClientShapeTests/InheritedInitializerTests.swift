// A subclass that overrides the documented designated initializers inherits every convenience initializer: those of
// StoreKit, and those that the app's own extensions add.

import StoreKit
import Testing

private class PlainPayment: SKPayment {
    override init() { super.init() }
}

private class PlainMutablePayment: SKMutablePayment {
    override init() { super.init() }
}

private class PlainProduct: SKProduct, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainTransaction: SKPaymentTransaction, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainPeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainDiscount: SKProductDiscount, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainOffer: SKPaymentDiscount, @unchecked Sendable {
    override init() { super.init() }
    override init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        super.init(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp)
    }
}

private class PlainResponse: SKProductsResponse, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainStorefront: SKStorefront, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainQueue: SKPaymentQueue, @unchecked Sendable {
    override init() { super.init() }
}

private class PlainDownload: SKDownload {
    override init() { super.init() }
}

private class PlainProductsRequest: SKProductsRequest {
    override init() { super.init() }
    override init(productIdentifiers: Set<String>) { super.init(productIdentifiers: productIdentifiers) }
}

private class PlainRefresh: SKReceiptRefreshRequest {
    override init() { super.init() }
    override init(receiptProperties: [String: Any]?) { super.init(receiptProperties: receiptProperties) }
}

private class PlainController: SKProductStorePromotionController {
    override init() { super.init() }
}

extension SKPayment { fileprivate convenience init(own: Int) { self.init() } }
extension SKProduct { fileprivate convenience init(own: Int) { self.init() } }
extension SKPaymentTransaction { fileprivate convenience init(own: Int) { self.init() } }
extension SKProductSubscriptionPeriod { fileprivate convenience init(own: Int) { self.init() } }
extension SKProductDiscount { fileprivate convenience init(own: Int) { self.init() } }
extension SKPaymentDiscount { fileprivate convenience init(own: Int) { self.init() } }
extension SKProductsResponse { fileprivate convenience init(own: Int) { self.init() } }
extension SKStorefront { fileprivate convenience init(own: Int) { self.init() } }
extension SKPaymentQueue { fileprivate convenience init(own: Int) { self.init() } }
extension SKDownload { fileprivate convenience init(own: Int) { self.init() } }
extension SKRequest { fileprivate convenience init(own: Int) { self.init() } }
extension SKProductStorePromotionController { fileprivate convenience init(own: Int) { self.init() } }

@Suite struct InheritedInitializerTests {
    @Test func subclassedPaymentInheritsInitFromProduct() {
        let product = SKProduct()
        product.setValue("com.example.hat", forKey: "productIdentifier")
        for payment in [PlainPayment(product: product), PlainMutablePayment(product: product)] {
            #expect(payment.productIdentifier == "com.example.hat" && payment.quantity == 1)
        }
    }

    @Test func extensionInitializersReachSubclasses() {
        let made: [NSObject] = [
            PlainPayment(own: 1), PlainMutablePayment(own: 1), PlainProduct(own: 1), PlainTransaction(own: 1),
            PlainPeriod(own: 1), PlainDiscount(own: 1), PlainOffer(own: 1), PlainResponse(own: 1),
            PlainStorefront(own: 1), PlainQueue(own: 1), PlainDownload(own: 1), PlainProductsRequest(own: 1),
            PlainRefresh(own: 1), PlainController(own: 1),
        ]
        #expect(made.count == 14)
    }
}
