// Where clients keep what they count themselves, and the server to which some of them talk.
// On any thread: a lock guards changes; reads read the file.

import ClientKit
import Foundation

/// Counts of products and the names of what brought them, in one file: one write for both.
final class Ledger: @unchecked Sendable {  // Guard: `lock`; the rest is constant.
    private struct Page: Codable {
        var counts: [String: Int] = [:]
        var entries: Set<String> = []
    }

    private let environment: AppEnvironment
    private let path: String
    private let lock = NSLock()

    init(_ environment: AppEnvironment, _ path: String = "ledger.json") {
        self.environment = environment
        self.path = path
    }

    private var page: Page {
        environment.files.read(path).flatMap { try? JSONDecoder().decode(Page.self, from: $0) } ?? Page()
    }

    var counts: [String: Int] { page.counts.filter { $0.value > 0 } }
    func contains(_ entry: String) -> Bool { page.entries.contains(entry) }

    func add(_ product: String, count: Int, for entry: String? = nil) {
        change {
            $0.counts[product, default: 0] += count
            if let entry { $0.entries.insert(entry) }
        }
    }

    /// Notes that something has happened.
    func note(_ entry: String) { change { $0.entries.insert(entry) } }

    func use(_ product: String) {
        change { if let count = $0.counts[product], count > 0 { $0.counts[product] = count - 1 } }
    }

    func removeAll(but products: Set<String>) {
        if counts.keys.allSatisfy(products.contains) { return }
        change { $0.counts = $0.counts.filter { products.contains($0.key) } }
    }

    private func change(_ body: (inout Page) -> Void) {
        lock.withLock {
            var page = page
            body(&page)
            let encoder = JSONEncoder()
            // The same contents are the same bytes.
            encoder.outputFormatting = .sortedKeys
            if let data = try? encoder.encode(page) { environment.files.write(data, to: path) }
        }
    }
}

/// A base that keeps its consumables in a ledger.
class LedgerBase: BrokenBase, @unchecked Sendable {
    let ledger: Ledger

    required init(environment: AppEnvironment) {
        ledger = Ledger(environment)
        super.init(environment: environment)
    }

    override func use(_ productIdentifier: String) { ledger.use(productIdentifier) }

    override func holdings() -> [String: Int] {
        goods.held.merging(ledger.counts) { _, counted in counted }
    }
}

/// The app's own server, which notes purchases.
struct Backend: @unchecked Sendable {  // Guard: it is constant, and its calls may come from any thread.
    let environment: AppEnvironment

    struct OutOfOrder: Error {}

    /// Returns once the server has the purchase, whatever it says to it.
    func post(_ identifier: UInt64) async throws {
        let environment = environment
        let status = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int, any Error>) in
            environment.http.post(environment.validatorURL, Data("{\"transactionId\": \"\(identifier)\"}".utf8)) {
                continuation.resume(with: $0.map(\.status).mapError { $0 })
            }
        }
        if status >= 500 { throw OutOfOrder() }
    }
}
