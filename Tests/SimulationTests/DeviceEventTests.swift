// Histories are long: how large an event may be, and what is left of it in the small form that it is kept in.

import Testing

@testable import Simulation

@Suite struct DeviceEventTests {
    // Every purchase leaves about twenty of them.
    @Test func recordsAreSmall() {
        #expect(MemoryLayout<EventRecord>.stride <= 32)
    }

    @Test(arguments: [nil, 0, 32_767] as [ProductIndex?])
    func productsSurviveBeingKeptSmall(product: ProductIndex?) {
        let id = TransactionID(number: .max)
        let note = DeviceEvent.TransactionNote(id, handle: .max, payment: .max, product: product, state: .deferred)
        #expect(note.product == product && note.id == id && note.handle == .max && note.payment == .max)
        #expect(DeviceEvent.told(note).product == product)
        let none = DeviceEvent.TransactionNote(nil, handle: 1, payment: nil, product: product, state: .purchasing)
        #expect(none.id == nil && none.payment == nil && none.product == product)
        let payment = DeviceEvent.PaymentNote(7, product: product, quantity: 3, asked: nil)
        #expect(payment.product == product && payment.asked == nil && payment.quantity == 3)
        let lost = DeviceEvent.LostNote(.finish, transaction: nil, product: product)
        #expect(lost.product == product && lost.transaction == nil)
    }
}
