// Broken clients that answer a restore wrongly, never, or with what the user does not own.
// On any thread, as their base.

import ClientKit
import StoreKit

/// Defect: the app answers a restore when the first event of a restored purchase arrives. Where there is nothing to
/// restore there is no event, and the user looks at a spinner for ever.
final class NeverEndsRestore: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-restore-never-answers" }

    @MainActor private var spinners: [CheckedContinuation<RestoreOutcome, Never>] = []

    override func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return await showSpinner()
    }

    @MainActor private func showSpinner() async -> RestoreOutcome {
        await withCheckedContinuation { continuation in
            spinners.append(continuation)
            Task { purchasesRestored(await readEntitlements().value) }
        }
    }

    @MainActor private func purchasesRestored(_ count: Int) {
        guard count > 0 else { return }
        for spinner in spinners { spinner.resume(returning: .restored(count: count)) }
        spinners = []
    }
}

/// Defect: the app takes a synchronisation that has failed for a success that has found nothing. Users who restore without a
/// network, or close the password prompt, see that they own nothing.
final class HidesFailedSync: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-sync-failure-as-nothing" }

    override func restore() async throws -> RestoreOutcome {
        do {
            try await AppStore.sync()
        } catch {
            return .restored(count: 0)
        }
        return .restored(count: await readEntitlements().value)
    }
}

/// Defect: the app restores everything that `Transaction.all` lists. Subscriptions that have run out and purchases
/// that were refunded come back with the rest.
final class RestoresHistory: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-restore-revives-expired" }

    override func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        _ = await readEntitlements().value
        var restored: Set<String> = []
        for await result in Transaction.all {
            guard let transaction = verified(result), transaction.productType != .consumable else { continue }
            if restored.insert(transaction.productID).inserted { goods.add(transaction.productID) }
        }
        return .restored(count: restored.count)
    }
}
