// The receipt's place, as apps ask for it: in files that import both modules.

import Foundation
import StoreKit
import Testing

@Suite struct ReceiptShapeTests {
    private var receipt: Data? {
        guard let url = Bundle.main.appStoreReceiptURL else { return nil }
        return try? Data(contentsOf: url)
    }

    // What has to hold is that this compiles. Suites that buy on the process's device may have left it a receipt.
    @Test func receiptIsReadableIfPresent() { #expect(receipt.map { !$0.isEmpty } ?? true) }
}
