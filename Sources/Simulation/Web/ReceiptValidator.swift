// The server that checks receipts for apps: takes what a device sends, and compares it with the store's books.
// Guard: confined to the store's lane. Devices reach it through their link only.

internal import Foundation

/// A validator for one cell's accounts.
final class ReceiptValidator {
    /// Where apps find it.
    static let url = "https://validator.example.com/v1/validate"

    // Unsafe: the store owns its servers, and they their validator; neither is retained elsewhere.
    private unowned(unsafe) let store: SimulatedAppStore
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init(store: SimulatedAppStore) {
        self.store = store
        encoder.outputFormatting = [.sortedKeys]
    }

    /// The transactions that a receipt lists or the request names: everything else the validator knows better from the
    /// store. Throws if the App Store has not signed the receipt.
    private func sentTransactions(_ sent: ValidatorRequest.Transaction) throws -> [Int64] {
        guard sent.type == ValidatorRequest.appStore else { throw SignedData.NotGenuine() }
        if let identifier = sent.transactionId {
            guard let number = Int64(identifier) else { throw SignedData.NotGenuine() }
            return [number]
        }
        guard let file = sent.appStoreReceipt.flatMap({ Data(base64Encoded: $0) }) else {
            throw SignedData.NotGenuine()
        }
        let attributes = try ReceiptAttributes(SignedData.genuineContent(of: Array(file)))
        return try attributes.all(.purchase).compactMap { purchase in
            try ReceiptAttributes(purchase).text(.transactionIdentifier).flatMap { Int64($0) }
        }
    }

    /// 200 with what the store's books say of the transactions, which is nothing of unknown ones; 400 for anything but a genuine
    /// receipt or an identifier.
    func answer(to request: WebRequest, user: Int) -> WebAnswer {
        guard let sent = try? decoder.decode(ValidatorRequest.self, from: request.body),
            sent.type == ValidatorRequest.application, sent.id == store.terms.app.bundleIdentifier,
            let listed = try? sentTransactions(sent.transaction), let account = store.account(user)
        else { return WebAnswer(status: 400, body: Data()) }
        let genuine = genuine(Set(listed), account)
        notify(genuine, account, applicationUsername: sent.additionalData.applicationUsername)
        let contents = ValidatorAnswer.Contents(
            collection: genuine.map(described), ineligibleForIntroductoryPrice: ineligible(account))
        guard let body = try? encoder.encode(ValidatorAnswer(data: contents)) else {
            return WebAnswer(status: 500, body: Data())
        }
        return WebAnswer(status: 200, body: body)
    }

    /// The listed purchases that the store knows, and what has become of their subscriptions since.
    private func genuine(_ listed: Set<Int64>, _ account: Account) -> [StoreTransaction] {
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

    /// Calls the webhook once for each purchase, when the validator first sees it.
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

extension SimulatedAppStore {
    /// Where apps find the receipt validator.
    package static var validatorURL: String { ReceiptValidator.url }
}
