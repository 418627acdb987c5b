// A payment: what an app asks for, from its queue to the store.
// Values; any thread.

package import Foundation

/// When a test says that something was bought.
package struct PastPurchase: Sendable, Equatable {
    /// Not in the future: such a purchase is made now.
    package let date: Date
    /// Whether a subscription has renewed since, or was cancelled at once.
    package let renews: Bool

    package init(date: Date, renews: Bool) { (self.date, self.renews) = (date, renews) }
}

/// What an app asks for.
package struct PaymentValue: Sendable, Equatable {
    package var productIdentifier: String
    package var quantity: Int
    package var applicationUsername: String?
    /// Nil in a payment with nothing out of the ordinary.
    private var box: Box?

    /// Values that few payments have, in a box: payments are copied at every step, and only carry one word for the box.
    private struct Extras: Sendable, Equatable {
        var requestData: [UInt8]?
        var simulatesAskToBuyInSandbox = false
        var discount: PaymentDiscountValue?
        var past: PastPurchase?
    }

    private final class Box: Sendable, Equatable {
        let extras: Extras
        init(_ extras: Extras) { self.extras = extras }
        static func == (left: Box, right: Box) -> Bool { left.extras == right.extras }
    }

    package init(
        productIdentifier: String, quantity: Int, applicationUsername: String? = nil, requestData: [UInt8]? = nil,
        simulatesAskToBuyInSandbox: Bool = false, discount: PaymentDiscountValue? = nil, past: PastPurchase? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        if requestData == nil, !simulatesAskToBuyInSandbox, discount == nil, past == nil { return }
        box = Box(
            Extras(
                requestData: requestData, simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, discount: discount,
                past: past))
    }

    private var extras: Extras {
        get { box?.extras ?? Extras() }
        set { box = newValue == Extras() ? nil : Box(newValue) }
    }

    package var requestData: [UInt8]? {
        get { extras.requestData }
        set { extras.requestData = newValue }
    }
    /// R38: the payment asks for an approval that never comes.
    package var simulatesAskToBuyInSandbox: Bool {
        get { extras.simulatesAskToBuyInSandbox }
        set { extras.simulatesAskToBuyInSandbox = newValue }
    }
    package var discount: PaymentDiscountValue? {
        get { extras.discount }
        set { extras.discount = newValue }
    }
    /// Only a test session's store heeds it.
    var past: PastPurchase? { extras.past }
}
