// What a file of an app sees that imports StoreKit and nothing else.

import StoreKit
import Testing

@Suite struct StoreKitAloneTests {
    @Test func importingStoreKitImportsFoundation() {
        let payment = SKMutablePayment()
        payment.requestData = Data([1, 2])
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: NSDecimalNumber(string: "1.99")) == "$1.99")
        let error: Error = NSError(domain: SKErrorDomain, code: 2)
        #expect((error as? SKError)?.code == .paymentCancelled)
        #expect(URL(string: "https://example.com")?.host == "example.com")
        #expect((payment as NSObject).isEqual(payment.copy()))
    }
}
