// The receipt's place, as apps ask for it: in files that import both modules.

import Foundation
import StoreKit
import Testing

@Suite struct ReceiptShapeTests {
    private var receipt: Data? {
        guard let url = Bundle.main.appStoreReceiptURL else { return nil }
        return try? Data(contentsOf: url)
    }

    @Test func withoutAHarnessThereIsNone() { #expect(receipt == nil) }
}
