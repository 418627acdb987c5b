// Histories are long: how large an event may be, and what is left of it in the small form that it is kept in.

import Testing

@testable import Simulation

@Suite struct DeviceEventTests {
    // Every purchase leaves about twenty of them.
    @Test func eventRecordsTakeAtMost32Bytes() {
        #expect(MemoryLayout<EventRecord>.stride <= 32)
    }

    @Test(arguments: [nil, 0, 32_767] as [ProductIndex?])
    func compactNotesKeepTheirProduct(product: ProductIndex?) {
        let id = TransactionID(number: .max)
        let note = DeviceEvent.TransactionNote(id, handle: .max, payment: .max, product: product, state: .deferred)
        #expect(note.product == product && note.id == id && note.handle == .max && note.payment == .max)
        #expect(DeviceEvent.delivered(note).product == product)
        let none = DeviceEvent.TransactionNote(nil, handle: 1, payment: nil, product: product, state: .purchasing)
        #expect(none.id == nil && none.payment == nil && none.product == product)
        let payment = DeviceEvent.PaymentNote(7, product: product, quantity: 3, asked: nil)
        #expect(payment.product == product && payment.asked == nil && payment.quantity == 3)
        let lost = DeviceEvent.LostNote(.lostRequest, .finish, transaction: nil, product: product)
        #expect(lost.product == product && lost.transaction == nil)
    }

    @Test(arguments: [nil, 0, 32_767] as [Int16?])
    func compactNotesKeepTheirAddress(address: Int16?) {
        #expect(DeviceEvent.PostNote(effect: 7, to: address).address == address)
        #expect(DeviceEvent.LostNote(.lostAnswer, .post, address: address).address == address)
    }

    @Test func fullNameTableAddsNoMoreNames() {
        var table = NameTable((0..<NameTable<Int>.countMax).map { $0 })
        #expect(table.add(-1) == nil && table.add(5) == 5 && table[5] == 5 && table[nil] == nil)
    }

    @Test(arguments: [
        ("https://api.example.com/verify", "https://api.example.com/verify", "api.example.com"),
        ("https://me:pw@api.example.com:8443/a/b?key=1#x", "https://api.example.com:8443/a/b", "api.example.com:8443"),
        ("https://api.example.com", "https://api.example.com", "api.example.com"),
        (
            "https://api.example.com/users/3f2504e0-4f89-41d3-9a0c-0305e82c3301/receipts",
            "https://api.example.com/users/…/receipts", "api.example.com"
        ),
        (
            "https://api.example.com/verify-the-receipt-again-v2/com.example.shop.coins100",
            "https://api.example.com/verify-the-receipt-again-v2/com.example.shop.coins100", "api.example.com"
        ),
        ("verify?key=1", "verify", "verify"), ("", "", ""),
    ])
    func webAddressKeepsNoSecrets(url: String, kept: String, host: String) {
        let address = WebAddress("POST", url: url)
        #expect(address.url == kept && address.host == host)
        // What travels between processes is read again.
        #expect(WebAddress("POST", url: kept) == address)
    }
}
