// A client whose goods are the sum of a ledger that has an entry for each transaction.
// A lock guards the file's changes, an actor what is read; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app has a ledger, in which a transaction's identifier is the key. It stores no count of goods: it sums up
/// the entries, and takes off what the user has spent.
final class LedgerClient: AsyncStoreClient {
    static let name = "sk2-ledger"
    static let summary = "A ledger by transaction identifier, of which the goods are the sum."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment)) }

    func launch() { shop.start() }
    func willEnterForeground() { Task { [shop] in await shop.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await shop.catchUp())
    }
    func use(_ productIdentifier: String) { shop.ledger.spend(productIdentifier) }
    func holdings() -> [String: Int] { shop.ledger.book.goods }

    struct Book: Codable {
        struct Entry: Codable {
            let product: String
            let count: Int
            let lasts: Bool
            /// Of what lasts, the transaction that was booked last under this key.
            var latest: UInt64
            var isOver = false
        }

        var entries: [String: Entry] = [:]
        var spent: [String: Int] = [:]

        var goods: [String: Int] {
            var goods: [String: Int] = [:]
            for entry in entries.values where !entry.isOver {
                goods[entry.product] = entry.lasts ? 1 : goods[entry.product, default: 0] + entry.count
            }
            for (product, count) in spent { goods[product, default: 0] -= count }
            return goods.filter { $0.value > 0 }
        }

        /// What is owned for good, and bought again for nothing, is the first purchase once more.
        static func key(_ transaction: Transaction) -> String {
            switch transaction.productType {
            case .nonConsumable, .nonRenewable: "first \(transaction.originalID)"
            default: "\(transaction.id)"
            }
        }
    }

    final class Ledger: @unchecked Sendable {  // Guard: `lock`. Reading needs none.
        private let phone: Phone
        private let lock = NSLock()

        init(_ phone: Phone) { self.phone = phone }

        var book: Book {
            phone.environment.files.read("ledger.json")
                .flatMap { try? JSONDecoder().decode(Book.self, from: $0) } ?? Book()
        }

        /// Writes the book, in one step, if `body` says that it has changed it.
        @discardableResult
        func change(_ body: (inout Book) -> Bool) -> Bool {
            lock.withLock {
                var book = book
                guard body(&book) else { return false }
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                guard let data = try? encoder.encode(book) else { return false }
                phone.environment.files.write(data, to: "ledger.json")
                return true
            }
        }

        func spend(_ product: String) {
            change { book in
                let isHeld = book.entries.values.contains { $0.product == product && !$0.lasts }
                guard isHeld, book.goods[product, default: 0] > 0 else { return false }
                book.spent[product, default: 0] += 1
                return true
            }
        }

        /// Books a transaction under its key. Returns whether it brings something that was not there.
        func enter(_ transaction: Transaction, entitles: Bool) -> Bool {
            change { book in
                let key = Book.key(transaction)
                guard var entry = book.entries[key] else {
                    book.entries[key] = Book.Entry(
                        product: transaction.productID, count: transaction.purchasedQuantity,
                        lasts: transaction.productType != .consumable, latest: transaction.id)
                    return true
                }
                guard entry.lasts, entry.isOver, entitles || transaction.id > entry.latest else { return false }
                (entry.isOver, entry.latest) = (false, max(entry.latest, transaction.id))
                book.entries[key] = entry
                return true
            }
        }
    }

    actor Shop {
        nonisolated let ledger: Ledger
        private let phone: Phone
        private let secondLook = SecondLook()
        private var answers = AnswerBook()
        private var wanted = 0
        private var reading: Task<Int, Never>?
        private var patience = 0

        init(_ phone: Phone) {
            self.phone = phone
            ledger = Ledger(phone)
        }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task { await catchUp() }
        }

        @discardableResult
        func catchUp() async -> Int {
            patience = 5
            for await result in Transaction.unfinished { await deliver(result) }
            return await read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            let place = answers.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return answers.outcome(of: transaction, since: place)
        }

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                if transaction.revocationDate == nil, ledger.enter(transaction, entitles: false) {
                    answers.note(transaction)
                }
            } else {
                if !transaction.isOver(at: phone.now) { _ = ledger.enter(transaction, entitles: false) }
                _ = await read()
            }
            await transaction.finish()
        }

        private func read() async -> Int {
            wanted += 1
            if let reading { return await reading.value }
            let task = Task { await readUntilCurrent() }
            reading = task
            return await task.value
        }

        /// Strikes out an entry if the history has its very transaction as over, before the list is read and after it.
        private func readUntilCurrent() async -> Int {
            while true {
                let before = wanted
                let earlier = await overKeys()
                var (entitled, unclear): ([Transaction], Set<String>) = ([], [])
                for await result in Transaction.currentEntitlements {
                    switch result {
                    case .verified(let transaction): entitled.append(transaction)
                    case .unverified(let transaction, _): unclear.insert(Book.key(transaction))
                    }
                }
                let over = earlier.intersection(await overKeys())
                if before != wanted { continue }
                for transaction in entitled { _ = ledger.enter(transaction, entitles: true) }
                let listed = Set(entitled.map(Book.key)).union(unclear)
                ledger.change { book in
                    let ending = book.entries.filter { key, entry in
                        entry.lasts && !entry.isOver && over.contains(key) && !listed.contains(key)
                    }
                    for key in ending.keys { book.entries[key]?.isOver = true }
                    return !ending.isEmpty
                }
                reading = nil
                let isExplained = ledger.book.entries.allSatisfy { key, entry in
                    !entry.lasts || entry.isOver || listed.contains(key)
                }
                if !unclear.isEmpty || !isExplained { lookAgain() }
                return Set(entitled.map(\.productID)).count
            }
        }

        private func overKeys() async -> Set<String> {
            var (over, others): (Set<String>, Set<String>) = ([], [])
            for await result in Transaction.all {
                switch result {
                case .verified(let transaction) where transaction.isOver(at: phone.now):
                    over.insert(Book.key(transaction))
                case .verified(let transaction), .unverified(let transaction, _):
                    others.insert(Book.key(transaction))
                }
            }
            return over.subtracting(others)
        }

        private func lookAgain() {
            guard patience > 0 else { return }
            patience -= 1
            Task {
                try? await Task.sleep(for: .seconds(3))
                _ = await read()
            }
        }
    }
}
