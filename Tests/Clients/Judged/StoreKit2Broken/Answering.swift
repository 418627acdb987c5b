// Broken clients that answer the buyer wrongly, or not at all.
// On the main actor where it is said, otherwise on any thread, as their base.

import ClientKit
import StoreKit

/// Defect: the app knows success and failure only, and shows a purchase that waits for approval as an error. The
/// family pays later for what the child saw fail.
final class ShowsPendingAsFailure: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-pending-as-failure" }

    override func answer(_ result: Product.PurchaseResult, since before: Int) async -> PurchaseOutcome {
        switch result {
        case .success: return await super.answer(result, since: before)
        case .userCancelled: return .cancelled
        default: return .failed(message: "The purchase has failed. You have not been charged.")
        }
    }
}

/// Defect: the app wraps the purchase in a continuation, and closes the sheet without resuming it when the user
/// cancels. The user waits for the answer for ever.
final class NeverAnswersCancel: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-cancel-never-answered" }

    override func buy(_ product: Product, quantity: Int) async throws -> PurchaseOutcome {
        try await withCheckedThrowingContinuation { continuation in
            pay(for: product, quantity) { continuation.resume(with: $0) }
        }
    }

    private func pay(
        for product: Product, _ quantity: Int,
        completion: @escaping @Sendable (Result<PurchaseOutcome, any Error>) -> Void
    ) {
        let before = grantedCount
        Task { @MainActor in
            do {
                let result = try await product.purchase(options: options(quantity))
                switch result {
                case .success, .pending: completion(.success(await answer(result, since: before)))
                case .userCancelled: break  // Nothing has happened.
                @unknown default: completion(.success(PurchaseOutcome(result)))
                }
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// Defect: the app has one place for the continuation of the purchase that is under way. A second purchase takes the
/// place of the first: one is answered with the other's outcome, and one never.
final class KeepsOneContinuation: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-one-continuation" }

    @MainActor private var waiting: CheckedContinuation<PurchaseOutcome, any Error>?

    override func buy(_ product: Product, quantity: Int) async throws -> PurchaseOutcome {
        try await checkOut(product, quantity)
    }

    @MainActor private func checkOut(_ product: Product, _ quantity: Int) async throws -> PurchaseOutcome {
        try await withCheckedThrowingContinuation { continuation in
            waiting = continuation
            Task { await self.pay(for: product, quantity) }
        }
    }

    @MainActor private func pay(for product: Product, _ quantity: Int) async {
        let before = grantedCount
        do {
            let result = try await product.purchase(options: options(quantity))
            ended(.success(await answer(result, since: before)))
        } catch {
            ended(.failure(error))
        }
    }

    @MainActor private func ended(_ outcome: Result<PurchaseOutcome, any Error>) {
        waiting?.resume(with: outcome)
        waiting = nil
    }
}
