// Clients that fetch products in an unusual way.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: Again and again

/// Tries a failed product fetch again, with longer and longer pauses.
///
/// Habit: one, two, four seconds; only then is the user told that it failed.
final class RetryingFetchShop: UnusualShop {
    override class var name: String { "unusual-retrying-fetch" }
    override class var summary: String { "Tries a failed fetch of products three times more before it says so." }

    override func fetch(_ identifiers: Set<String>, _ done: @escaping (Result<[SKProduct], any Error>) -> Void) {
        attempt(identifiers, pause: 1, done)
    }

    private func attempt(
        _ identifiers: Set<String>, pause: Double, _ done: @escaping (Result<[SKProduct], any Error>) -> Void
    ) {
        super.fetch(identifiers) { [weak self] result in
            guard let self, case .failure = result, pause <= 4 else { return done(result) }
            environment.main.asyncAfter(seconds: pause) { [weak self] in
                self?.attempt(identifiers, pause: pause * 2, done)
            }
        }
    }
}

// MARK: Once, at launch

/// Fetches at launch, and answers from what it has.
///
/// Habit: a cache of ten minutes. Whoever asks while a fetch is under way waits for that one; one fetch is for all
/// products, whatever was asked for.
final class CachedProductsShop: UnusualShop {
    override class var name: String { "unusual-cached-products" }
    override class var summary: String { "Fetches all products at launch and answers from its cache." }

    private var waiting: [(Result<[SKProduct], any Error>) -> Void] = []
    private var fetchedAt: Date?

    override func launch() {
        super.launch()
        refresh { _ in }
    }

    override func fetch(_ identifiers: Set<String>, _ done: @escaping (Result<[SKProduct], any Error>) -> Void) {
        let answer = { [weak self] (result: Result<[SKProduct], any Error>) in
            let known = self?.products.values.filter { identifiers.contains($0.productIdentifier) } ?? []
            done(result.map { _ in known.sorted { $0.productIdentifier < $1.productIdentifier } })
        }
        if let fetchedAt, environment.now.timeIntervalSince(fetchedAt) < 600, !products.isEmpty {
            return answer(.success([]))
        }
        refresh(answer)
    }

    private func refresh(_ done: @escaping (Result<[SKProduct], any Error>) -> Void) {
        waiting.append(done)
        guard waiting.count == 1 else { return }
        super.fetch(Set(shelf.sold)) { [weak self] result in
            guard let self else { return }
            if case .success = result { fetchedAt = environment.now }
            let all = waiting
            waiting = []
            for done in all { done(result) }
        }
    }
}

// MARK: Before every purchase

/// Fetches the product anew before each purchase.
///
/// Habit: no cache at all: a price must not be old. If the store does not answer within eight seconds, the user is
/// told so and no payment is made of it any more.
final class FreshProductShop: UnusualShop {
    override class var name: String { "unusual-fresh-product" }
    override class var summary: String { "Fetches the product anew before each purchase, eight seconds at most." }

    override func begin(_ order: Order) {
        products[order.product] = nil
        fetch([order.product]) { [weak self] result in
            guard let self, !order.isAnswered else { return }
            switch result {
            case .success(let found):
                guard let product = found.first(where: { $0.productIdentifier == order.product }) else {
                    return order.answer(.refused(reason: "\(order.product) is not for sale."))
                }
                pay(product, order)
            case .failure(let error): order.answer(.failed(message: error.localizedDescription))
            }
        }
        environment.main.asyncAfter(seconds: 8) {
            if order.began == nil { order.answer(.failed(message: "The store does not answer.")) }
        }
    }
}
