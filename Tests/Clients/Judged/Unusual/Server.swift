// The app's own server, which knows what the App Store has sold.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

/// Asks the receipt validator about purchases, again and again with longer and longer pauses.
final class Server {
    private let environment: AppEnvironment

    init(_ environment: AppEnvironment) { self.environment = environment }

    private struct Question: Encodable {
        struct Phone: Encodable {
            let model = "iPhone"
            let systemName = "iOS"
        }
        struct Sale: Encodable {
            let type = "ios-appstore"
            let appStoreReceipt: String
        }
        struct More: Encodable { let applicationUsername: String? = nil }

        let id: String
        let type = "application"
        let device = Phone()
        let transaction: Sale
        let additionalData = More()
    }

    struct Answer: Decodable {
        struct Contents: Decodable { let collection: [Sale] }
        struct Sale: Decodable {
            let id: String
            let purchaseDate: Int64
        }

        let data: Contents

        /// A purchase is known by its product and its moment.
        func lists(_ told: Delivery) -> Bool {
            guard let date = told.date else { return false }
            let moment = Int64((date.timeIntervalSince1970 * 1_000).rounded())
            return data.collection.contains { $0.id == told.product && abs($0.purchaseDate - moment) <= 1 }
        }
    }

    /// What the App Store says of the receipt on this device; nil if nobody could tell.
    func ask(_ done: @escaping (Answer?) -> Void) {
        guard let receipt = environment.receipt?.encoded(),
            let body = try? JSONEncoder().encode(
                Question(
                    id: environment.bundleIdentifier, transaction: .init(appStoreReceipt: receipt.base64EncodedString())
                )
            )
        else { return environment.main.async { done(nil) } }
        environment.http.post(environment.validatorURL, body) { result in
            guard case .success(let response) = result, response.status == 200 else { return done(nil) }
            done(try? JSONDecoder().decode(Answer.self, from: response.body))
        }
    }

    /// Asks until the purchase is confirmed. `turn` is told after each time, and says whether to go on asking.
    func confirm(_ told: Delivery, pause: Double = 0.5, _ turn: @escaping (Bool) -> Bool) {
        ask { [weak self] answer in
            guard let self, turn(answer?.lists(told) ?? false) else { return }
            environment.main.asyncAfter(seconds: pause) { [weak self] in
                self?.confirm(told, pause: min(pause * 2, 30), turn)
            }
        }
    }
}
