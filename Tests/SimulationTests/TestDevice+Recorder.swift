// The device of the tests, with a recorder in StoreKit's place.
// Confined to the test that made it.

import DeviceSupport
import Simulation

/// The products by their places in the catalog.
extension Goods {
    static let coins = 0
    static let hat = 1
    static let pass = 2
    static let pro = 3
    static let gems = 4
    static let boots = 5
}

extension TestDevice {
    /// Launches the app with a recorder in StoreKit's place, observing unless told otherwise.
    @discardableResult
    func launch(observing: Bool = true, on device: Device? = nil) -> Recorder {
        let process = (device ?? self.device).launch()
        let recorder = Recorder(timeline)
        _ = process.receiver(of: .paymentQueue, orMake: { recorder })
        if observing { process.request(.listen(.paymentQueue)) }
        return recorder
    }

    @discardableResult
    func buy(_ product: ProductIndex, quantity: Int = 1, on device: Device? = nil, username: String? = nil)
        -> PaymentToken
    { buy(identifier: Goods.identifier(product), quantity: quantity, on: device, username: username) }

    @discardableResult
    func buy(identifier: String, quantity: Int = 1, on device: Device? = nil, username: String? = nil) -> PaymentToken {
        let device = device ?? self.device
        let token = device.takePaymentToken()
        let payment = PaymentValue(productIdentifier: identifier, quantity: quantity, applicationUsername: username)
        device.process?.request(.add(payment, token: token))
        return token
    }

    func finish(_ transaction: TransactionValue) {
        process.request(.finish(handle: transaction.handle, state: transaction.state))
    }

    func restore(username: String? = nil) { process.request(.restore(applicationUsername: username)) }
}
