// The server of those clients that have one.
// A value; any thread. Its callback comes on the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// The app's server, which compares a transaction with what the App Store has.
struct AppServer: Sendable {
    let phone: Phone

    enum Verdict: Sendable {
        /// The App Store has it; it may entitle to nothing any more.
        case accepted(isOver: Bool)
        case refused
        /// There was no answer, or an error.
        case unreachable
    }

    func verdict(on transaction: Transaction) async -> Verdict {
        let question = Question(
            id: phone.environment.bundleIdentifier, transaction: .init(transactionId: "\(transaction.id)"))
        guard let body = try? JSONEncoder().encode(question) else { return .refused }
        let result = await withCheckedContinuation { continuation in
            phone.environment.http.post(phone.environment.validatorURL, body) { continuation.resume(returning: $0) }
        }
        guard case .success(let response) = result, response.status < 500 else { return .unreachable }
        let date = transaction.purchaseDate.timeIntervalSince1970 * 1_000
        let answer = try? JSONDecoder().decode(Answer.self, from: response.body)
        let entries = (answer?.data.collection ?? []).filter {
            $0.id == transaction.productID && abs(Double($0.purchaseDate) - date) < 2
        }
        // The server names no transactions: of two that were bought together, the valid purchase is meant.
        return entries.isEmpty ? .refused : .accepted(isOver: entries.allSatisfy(\.isExpired))
    }

    private struct Question: Encodable {
        struct Sale: Encodable {
            let type = "ios-appstore"
            let transactionId: String
        }
        let id: String
        let type = "application"
        let device = ["model": "iPhone", "systemName": "iOS"]
        let transaction: Sale
        let additionalData: [String: String] = [:]
    }

    private struct Answer: Decodable {
        struct Contents: Decodable { let collection: [Entry] }
        struct Entry: Decodable {
            let id: String
            let purchaseDate: Int64
            let isExpired: Bool
        }
        let data: Contents
    }

    /// Asks until the server has answered, less and less often.
    func lastVerdict(on transaction: Transaction) async -> Verdict {
        var pause = 1
        while true {
            let verdict = await verdict(on: transaction)
            guard case .unreachable = verdict else { return verdict }
            try? await Task.sleep(for: .seconds(pause))
            pause = min(2 * pause, 30)
        }
    }
}
