// Tests that are their own fakes, as apps have them: on Apple's systems a test case is an `NSObject`. This file imports what
// such a test does; another of the target imports StoreKitTest.

import StoreKit
import XCTest

final class FakeTests: XCTestCase, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    private var received: [String] = []

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        received.append("response")
    }

    func requestDidFinish(_ request: SKRequest) { received.append("finish") }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        received.append("transactions")
    }

    func testStoreKitKeepsATestCaseAsDelegateAndObserver() {
        let request = SKProductsRequest(productIdentifiers: ["extra_lives"])
        request.delegate = self
        XCTAssertTrue(request.delegate === self)
        request.delegate?.productsRequest(request, didReceive: SKProductsResponse())
        request.delegate?.requestDidFinish?(request)
        let queue = SKPaymentQueue()
        queue.add(self)
        XCTAssertTrue(queue.transactionObservers.contains { $0.isEqual(self) })
        queue.transactionObservers.forEach { $0.paymentQueue(queue, updatedTransactions: []) }
        queue.remove(self)
        XCTAssertTrue(queue.transactionObservers.isEmpty)
        XCTAssertEqual(received, ["response", "finish", "transactions"])
    }

    func testATestCaseIsAnObject() throws {
        let object: any NSObjectProtocol = self
        XCTAssertTrue(object.isEqual(self))
        XCTAssertFalse(object.isEqual(nil))
        XCTAssertFalse(object.isEqual(NSObject()))
        XCTAssertFalse(object.isEqual("text"))
        XCTAssertFalse(object.isProxy())
        XCTAssertTrue(object.`self`() as AnyObject === self)
        XCTAssertEqual(Set([object.hash, (self as any NSObjectProtocol).hash]).count, 1)
        XCTAssertTrue(object.description.contains("testATestCaseIsAnObject"), object.description)
    }
}
