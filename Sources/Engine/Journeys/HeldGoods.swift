// What the client says is held. A client may say that it cannot tell.
// Guard: the device's lane, as client code.

import ClientKit
import Simulation

extension AppProcess {
    /// The goods of one product; none, with a remark for the report, where the client throws.
    func held(of identifier: String, by client: any StoreClient) -> Int {
        do {
            return try client.holdings(of: identifier)
        } catch {
            remarkUnreadableGoods(error)
            return 0
        }
    }

    /// The goods of every product.
    func held(by client: any StoreClient) -> [String: Int] {
        do {
            return try client.holdings()
        } catch {
            remarkUnreadableGoods(error)
            return [:]
        }
    }
}
