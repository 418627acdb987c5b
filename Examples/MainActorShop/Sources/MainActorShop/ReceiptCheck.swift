// Asks the player's own server whether a purchase is genuine.

import StoreKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct ReceiptCheck {
    enum Verdict { case genuine, forged }

    struct ServerError: Error { let status: Int }

    private struct Question: Encodable {
        let transaction: String
        let product: String
        let receipt: Data?
    }

    private struct Answer: Decodable { let isGenuine: Bool }

    private static let server = URL(string: "https://api.lectern.example.com/v1/receipts")!

    /// Throws where nobody can tell: the server is down, or out of reach.
    func verdict(on transaction: SKPaymentTransaction) async throws -> Verdict {
        var request = URLRequest(url: Self.server, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(
            Question(
                transaction: transaction.transactionIdentifier ?? "", product: transaction.payment.productIdentifier,
                receipt: Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) }))
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw ServerError(status: status) }
        return try JSONDecoder().decode(Answer.self, from: body).isGenuine ? .genuine : .forged
    }
}
