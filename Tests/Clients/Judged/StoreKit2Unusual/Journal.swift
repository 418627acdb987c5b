// A client whose goods are no counts but a journal that is played back.
// A lock guards the file's changes, an actor what is read; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app writes each transaction into a journal before anything else, and finishes it as soon as the journal
/// has it. What the user has is the journal, played back.
final class JournalClient: AsyncStoreClient {
    static let name = "sk2-journal"
    static let summary = "Writes transactions into a journal first; goods are the journal, played back."

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
    func use(_ productIdentifier: String) {
        shop.journal.write { $0.counts[productIdentifier, default: 0] > 0 ? "use \(productIdentifier)" : nil }
    }
    func holdings() -> [String: Int] { shop.journal.playedBack.goods }

    /// Lines of words. Every write replaces the file in one step.
    final class Journal: @unchecked Sendable {  // Guard: `lock`. Reading needs none.
        struct State {
            var counts: [String: Int] = [:]
            var lasting: Set<String> = []
            var taken: Set<String> = []

            var goods: [String: Int] {
                counts.filter { $0.value > 0 }.merging(lasting.map { ($0, 1) }) { $0 + $1 }
            }

            mutating func play(_ line: Substring) {
                let words = line.split(separator: " ").map(String.init)
                guard words.count > 1 else { return }
                switch words[0] {
                case "take" where words.count == 4:
                    guard taken.insert(words[1]).inserted else { return }
                    counts[words[2], default: 0] += Int(words[3]) ?? 0
                case "taken": taken.insert(words[1])
                case "sum" where words.count == 3: counts[words[1]] = Int(words[2])
                case "use": counts[words[1], default: 0] -= 1
                case "own": lasting.insert(words[1])
                case "end": lasting.remove(words[1])
                default: return
                }
            }

            /// The same in as few lines as there can be.
            var lines: [String] {
                taken.sorted().map { "taken \($0)" }
                    + counts.sorted { $0.key < $1.key }.map { "sum \($0.key) \($0.value)" }
                    + lasting.sorted().map { "own \($0)" }
            }
        }

        private let phone: Phone
        private let lock = NSLock()
        private static let (path, linesMax) = ("journal.txt", 200)

        init(_ phone: Phone) { self.phone = phone }

        private var lines: [Substring] {
            String(decoding: phone.environment.files.read(Self.path) ?? Data(), as: UTF8.self).split(separator: "\n")
        }

        private static func state(_ lines: [Substring]) -> State {
            lines.reduce(into: State()) { $0.play($1) }
        }

        var playedBack: State { Self.state(lines) }

        /// Adds a line that depends on all lines before. Returns whether there was one to add.
        @discardableResult
        func write(_ line: (State) -> String?) -> Bool {
            lock.withLock {
                var lines = lines
                var state = Self.state(lines)
                guard let line = line(state) else { return false }
                lines.append(Substring(line))
                if lines.count > Self.linesMax {
                    state.play(Substring(line))
                    lines = state.lines.map { Substring($0) }
                }
                phone.environment.files.write(Data(lines.joined(separator: "\n").utf8), to: Self.path)
                return true
            }
        }
    }

    actor Shop {
        nonisolated let journal: Journal
        private let phone: Phone
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var wanted = 0
        private var reading: Task<Int, Never>?
        /// The reading that knows of a product's latest transaction.
        private var fresh: [String: Int] = [:]
        private var patience = 0

        init(_ phone: Phone) {
            self.phone = phone
            journal = Journal(phone)
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
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return book.outcome(of: transaction, since: place)
        }

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            let (id, product) = ("\(transaction.id)", transaction.productID)
            if transaction.productType != .consumable {
                own(product, unless: transaction.isOver(at: phone.now))
                fresh[product] = wanted + 1
                _ = await read()
            } else if transaction.revocationDate == nil {
                let isNew = journal.write {
                    $0.taken.contains(id) ? nil : "take \(id) \(product) \(transaction.purchasedQuantity)"
                }
                if isNew { book.note(transaction) }
            }
            await transaction.finish()
        }

        private func own(_ product: String, unless isOver: Bool) {
            if !isOver { journal.write { $0.lasting.contains(product) ? nil : "own \(product)" } }
        }

        /// Readings run one behind the other, so that each begins after what asked for it.
        private func read() async -> Int {
            wanted += 1
            let (mine, before) = (wanted, reading)
            let task = Task {
                _ = await before?.value
                let standing = await Standing.read(of: journal.playedBack.lasting.sorted(), on: phone)
                for product in standing.entitled.sorted() { own(product, unless: false) }
                // What has come meanwhile has a reading of its own behind this one.
                for product in standing.ended.sorted() where fresh[product, default: 0] <= mine {
                    journal.write { $0.lasting.contains(product) ? "end \(product)" : nil }
                }
                if standing.isDoubtful { lookAgain() }
                return standing.entitled.count
            }
            reading = task
            return await task.value
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
