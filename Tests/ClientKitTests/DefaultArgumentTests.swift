// Default arguments of a client's public functions are the device's, as its code is.

import Foundation
import ShopClient
import Testing

@Suite struct DefaultArgumentTests {
    @Test func defaultArgumentsAreTheDevicesOwnObjects() {
        let bench = VirtualBench()
        var seen: [Bool] = []
        bench.run {
            let settings = ShopSettings()
            seen.append(settings.queue.label == DispatchQueue.main.label)
            seen.append(settings.defaults === UserDefaults.standard)
            seen.append(settings.receipt == Bundle.main.appStoreReceiptURL && settings.isOnMain)
            settings.later { seen.append(Thread.isMainThread) }
            #expect(seen.count == 3)
        }
        #expect(seen == [true, true, true, true])
    }
}
