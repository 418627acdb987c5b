// The server that checks receipts for apps: takes what a device sends, and compares it with the store's books.
// Guard: confined to the store's lane. Devices reach it through their link only.

internal import Foundation

/// How the receipt validator behaves during a run.
package struct ValidatorConditions: Sendable, Equatable {
    /// From a request's arrival to its answer; the network's latency comes on top.
    package var latency: Distribution = .constant(0)
    package var outages: [StoreOutage] = []
    /// Share of the requests that are answered with an error.
    package var errors: Share = .none

    package init() {}
}

/// A validator for one cell's accounts.
final class ReceiptValidator {
    /// Where apps find it.
    static let url = "https://validator.example.com/v1/validate"

    // Unsafe: the store owns its validator, which is not retained elsewhere.
    private unowned(unsafe) let store: AppStore
    private let conditions: ValidatorConditions
    private let seed: UInt64
    private var streams: [Int: RandomStream] = [:]
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    enum Reply: Sendable {
        case answer(WebAnswer)
        /// The device gives up after its request timeout.
        case silence
        /// It learns that there is no way there.
        case failure(WebFailure)
    }

    init(store: AppStore, conditions: ValidatorConditions, seed: UInt64) {
        self.store = store
        self.conditions = conditions
        self.seed = seed
        encoder.outputFormatting = [.sortedKeys]
    }

    /// Handles a request that has arrived. `reply` is called on the store's lane, at most once.
    /// A `healed` request belongs to the final settling: no outage, no error, no delay.
    func handle(_ request: WebRequest, user: Int, healed: Bool, reply: @escaping @Sendable (Reply) -> Void) {
        // Closed: the answer has no recipient.
        guard store.account(user) != nil else { return }
        if healed { return reply(.answer(answer(to: request, user: user))) }
        var stream = streams[user] ?? newStream(user)
        var delay = conditions.latency.drawSpan(&stream)
        let fails = stream.hits(conditions.errors)
        streams[user] = stream
        let now = store.lane.now
        switch conditions.outages.first(where: { $0.covers(now) })?.answer {
        case .error: return reply(.answer(.unavailable))
        case .timeout: return reply(.silence)
        case .slow(let by): delay = delay + by
        case nil: break
        }
        store.lane.schedule(after: delay) { [self] in
            reply(.answer(fails ? .unavailable : answer(to: request, user: user)))
        }
    }

    private func newStream(_ user: Int) -> RandomStream {
        RandomStream(seed: seed, user: store.streamNumber(ofAccount: user), purpose: .validator)
    }

    // MARK: Checking

    /// What the validator reads of a receipt; everything else it knows better from the store.
    private struct SentReceipt: Decodable {
        let purchases: [Purchase]

        struct Purchase: Decodable {
            let transactionIdentifier: String

            private enum CodingKeys: String, CodingKey { case transactionIdentifier = "transaction_id" }
        }

        private enum CodingKeys: String, CodingKey { case purchases = "in_app" }
    }

    private func answer(to request: WebRequest, user: Int) -> WebAnswer {
        guard let sent = try? decoder.decode(ValidatorRequest.self, from: request.body),
            sent.type == ValidatorRequest.application, sent.transaction.type == ValidatorRequest.appStore,
            sent.id == store.bundleIdentifier,
            let text = Data(base64Encoded: sent.transaction.appStoreReceipt),
            let receipt = try? decoder.decode(SentReceipt.self, from: text), let account = store.account(user)
        else { return WebAnswer(status: 400, body: Data()) }
        let genuine = genuine(receipt, account)
        notify(genuine, account, applicationUsername: sent.additionalData.applicationUsername)
        let contents = ValidatorAnswer.Contents(
            collection: genuine.map(described), ineligibleForIntroductoryPrice: ineligible(account))
        guard let body = try? encoder.encode(ValidatorAnswer(data: contents)) else {
            return WebAnswer(status: 500, body: Data())
        }
        return WebAnswer(status: 200, body: body)
    }

    /// The purchases of the receipt that the store knows, and what has become of their subscriptions since.
    private func genuine(_ receipt: SentReceipt, _ account: Account) -> [StoreTransaction] {
        let listed = Set(receipt.purchases.compactMap { Int64($0.transactionIdentifier) })
        let all = account.statement.transactions
        let subscriptions = Set(all.filter { listed.contains($0.id.number) }.compactMap(\.subscriptionStart))
        return all.filter { transaction in
            listed.contains(transaction.id.number)
                || transaction.subscriptionStart.map { subscriptions.contains($0) } ?? false
        }
    }

    private func described(_ transaction: StoreTransaction) -> ValidatorAnswer.Purchase {
        let calendar = store.lane.calendar
        return ValidatorAnswer.Purchase(
            id: store.catalog[transaction.product].identifier,
            purchaseDate: calendar.date(of: transaction.at).milliseconds, quantity: transaction.quantity,
            expiryDate: transaction.expiresAt.map { calendar.date(of: $0).milliseconds },
            isExpired: transaction.isOver(at: store.lane.now))
    }

    private func ineligible(_ account: Account) -> [String] {
        store.catalog.products.filter { product in
            guard let terms = product.subscription, terms.introductoryOffer != nil else { return false }
            return account.introducedGroups.contains(terms.groupIdentifier)
        }.map(\.identifier)
    }

    /// The webhook: each purchase is told once, when it is first seen.
    private func notify(_ purchases: [StoreTransaction], _ account: Account, applicationUsername: String?) {
        for purchase in purchases
        where !account.statement.notifications.contains(where: { $0.transaction == purchase.id }) {
            account.statement.notifications.append(
                ValidatorNotification(
                    at: store.lane.now, transaction: purchase.id, product: purchase.product,
                    quantity: purchase.quantity, applicationUsername: applicationUsername))
        }
    }
}

extension AppStore {
    /// Where apps find the receipt validator.
    package static var validatorURL: String { ReceiptValidator.url }
}
