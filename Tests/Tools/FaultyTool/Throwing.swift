// A client of three members that cannot tell what is held.
// Runs on its device's main queue.

import Foundation
import Stampede

final class ThrowingClient: StoreClient {
    static let name = "throwing"

    private struct NoRecord: LocalizedError {
        var errorDescription: String? { "there is no record yet" }
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.refused(reason: "The shop is closed."))
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.failed(message: "The shop is closed.")) }
    func holdings() throws -> [String: Int] { throw NoRecord() }
}
