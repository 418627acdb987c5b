// Broken clients that finish too little, too early or what is not theirs.
// On any thread, as their base.

import ClientKit
import Foundation
import StoreKit

/// Defect: the app delivers what StoreKit hands over and finishes none of it. The next purchase of that product
/// returns the old transaction, so that the user can buy a consumable only once.
final class NeverFinishes: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-never-finishes" }

    /// The purchase is complete once it is in the books.
    override func finish(_ transaction: Transaction) async {}
}

/// Defect: the app finishes a transaction before its server has it, and delivers after the server has answered. If
/// the server cannot be reached, or the app ends meanwhile, StoreKit does not hand the consumable over again.
final class FinishesBeforeServer: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-finishes-before-server" }

    private var backend: Backend { Backend(environment: environment) }

    override func take(_ transaction: Transaction) async -> Bool {
        await transaction.finish()
        do {
            try await backend.post(transaction.id)
        } catch {
            return false
        }
        return await super.take(transaction)
    }
}

/// Defect: the app finishes by identifier, and looks the transaction up in `Transaction.all`. A consumable that is
/// finished already is not listed there, and nothing resumes the caller.
final class FinishesFromAllOnly: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-finish-from-all-only" }

    override func finish(_ transaction: Transaction) async {
        await withCheckedContinuation { continuation in
            complete(transaction.id) { continuation.resume() }
        }
    }

    private func complete(_ identifier: UInt64, completion: @escaping @Sendable () -> Void) {
        Task {
            guard let transaction = await find(identifier) else { return }
            await transaction.finish()
            completion()
        }
    }

    private func find(_ identifier: UInt64) async -> Transaction? {
        for await result in Transaction.all {
            if case .verified(let transaction) = result, transaction.id == identifier { return transaction }
        }
        return nil
    }
}

/// Defect: at each launch the app finishes whatever is unfinished, in order to begin with an empty queue. Consumables
/// that were paid for while the app was closed are thrown away.
final class ClearsQueueAtLaunch: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-clears-queue-at-launch" }

    override func launch() {
        Task {
            await clearTransactions()
            start()
        }
    }

    /// Otherwise the listener receives old ones over and over.
    private func clearTransactions() async {
        for await result in Transaction.unfinished {
            if case .verified(let transaction) = result { await transaction.finish() }
        }
    }
}

/// Defect: a part of the app that only counts revenue finishes what it has counted. The shop delivers what it finds in
/// `Transaction.unfinished`, and finds nothing.
final class AnalyticsFinishes: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-analytics-finishes" }

    private let revenue = RevenueTracker()

    override func launch() {
        revenue.observe()
        super.launch()
    }

    override func listen() {
        Task {
            for await _ in Transaction.updates {
                for await result in Transaction.unfinished { await process(result) }
                readEntitlements()
            }
        }
    }
}

/// Counts what users have paid.
private actor RevenueTracker {
    private var total: Decimal = 0
    private var counted: Set<UInt64> = []

    nonisolated func observe() {
        Task { for await result in Transaction.updates { await count(result) } }
    }

    private func count(_ result: VerificationResult<Transaction>) async {
        guard case .verified(let transaction) = result else { return }
        if counted.insert(transaction.id).inserted { total += transaction.price ?? 0 }
        await transaction.finish()
    }
}
