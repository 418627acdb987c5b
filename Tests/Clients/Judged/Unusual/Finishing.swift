// Clients that finish their transactions at unusual moments.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: At the next launch

/// Finishes a purchase only in a later launch than the one that delivered it.
///
/// Habit: the queue is kept as a second record of the purchase until the goods have survived a launch.
final class NextLaunchFinishShop: UnusualShop {
    override class var name: String { "unusual-finish-at-next-launch" }
    override class var summary: String { "Delivers at once, and finishes when a later launch finds it delivered." }

    private var launchNumber = 0

    override func launch() {
        launchNumber = environment.durableInteger("launches") + 1
        environment.write([("launches", .integer(launchNumber))])
        super.launch()
    }

    override func makeShelf() -> Shelf { DatedShelf(environment) { [unowned self] in launchNumber } }

    override func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        let wasGivenEarlier = (shelf as? DatedShelf)?.wasGiven(told.identifier ?? "", before: launchNumber) ?? true
        if wasGivenEarlier { finish(told.transaction) }
        answer(told, isNew ? .purchased : repeated(told))
    }
}

/// A shelf that notes in which launch something was delivered.
final class DatedShelf: Shelf {
    private let launch: () -> Int

    init(_ environment: AppEnvironment, launch: @escaping () -> Int) {
        self.launch = launch
        super.init(environment)
    }

    override func mark(_ id: String) -> (key: String, value: AppValue?) { ("given." + id, .integer(launch())) }

    func wasGiven(_ id: String, before launch: Int) -> Bool { isGiven(id) && number("given." + id) < launch }
}

// MARK: Several at once

/// Collects what can be finished, and finishes it in one go.
///
/// Habit: every third delivery, two seconds, the background or the end of the app flush the collection.
final class BatchedFinishShop: UnusualShop {
    override class var name: String { "unusual-batched-finish" }
    override class var summary: String { "Finishes every third delivery together, or after two seconds." }

    private var waiting: [SKPaymentTransaction] = []

    override func finish(_ transaction: SKPaymentTransaction) {
        if waiting.contains(where: { $0 === transaction }) { return }
        waiting.append(transaction)
        if waiting.count >= 3 { return flush() }
        if waiting.count == 1 { environment.main.asyncAfter(seconds: 2) { [weak self] in self?.flush() } }
    }

    private func flush() {
        let all = waiting
        waiting = []
        for transaction in all { super.finish(transaction) }
    }

    override func didEnterBackground() { flush() }

    override func willTerminate() {
        flush()
        super.willTerminate()
    }
}

// MARK: Backwards

/// Delivers a whole batch, then finishes it from its end.
///
/// Habit: one pass that delivers, one that finishes in reversed order.
final class ReversedFinishShop: UnusualShop {
    override class var name: String { "unusual-reversed-finish" }
    override class var summary: String { "Delivers all of a batch before it finishes it from its end." }

    private var delivered: [SKPaymentTransaction] = []

    override func updated(_ batch: [Delivery]) {
        super.updated(batch)
        let all = delivered
        delivered = []
        for transaction in all.reversed() { super.finish(transaction) }
    }

    override func finish(_ transaction: SKPaymentTransaction) { delivered.append(transaction) }
}

// MARK: Twice

/// Finishes from two places.
///
/// Habit: a finish behind the delivery, and a sweep half a second later over what is still on the queue and was
/// delivered. The second is legal, and guarded by a look at the queue.
final class TwiceFinishShop: UnusualShop {
    override class var name: String { "unusual-finish-twice" }
    override class var summary: String { "Finishes behind the delivery, and again what is then still on the queue." }

    override func finish(_ transaction: SKPaymentTransaction) {
        super.finish(transaction)
        environment.main.asyncAfter(seconds: 0.5) { [weak self] in self?.sweep(transaction) }
    }

    private func sweep(_ transaction: SKPaymentTransaction) {
        if queue.transactions.contains(where: { $0 === transaction }) { queue.finishTransaction(transaction) }
    }
}

// MARK: After the answer

/// Tells the user first, and finishes afterwards.
///
/// Habit: the caller gets the purchase, shows it, and its transaction is finished a moment later, as with
/// `completeTransactions(atomically: false)`.
final class AnswerFirstShop: UnusualShop {
    override class var name: String { "unusual-answer-then-finish" }
    override class var summary: String { "Delivers, tells the user, and finishes a moment later." }

    override func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        answer(told, isNew ? .purchased : repeated(told))
        environment.main.asyncAfter(seconds: 0.2) { [weak self] in self?.finish(told.transaction) }
    }
}

// MARK: After the server's word

/// Delivers at once, and finishes when its server has noted the purchase.
///
/// Habit: the transaction stays on the queue as a note that the server has yet to hear of it; asking goes on with
/// longer and longer pauses.
final class PostThenFinishShop: UnusualShop {
    override class var name: String { "unusual-post-then-finish" }
    override class var summary: String { "Delivers at once, and finishes when its server has noted the purchase." }

    private lazy var server = Server(environment)
    private var posting: [SKPaymentTransaction] = []

    override func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        answer(told, isNew ? .purchased : repeated(told))
        if posting.contains(where: { $0 === told.transaction }) { return }
        posting.append(told.transaction)
        server.confirm(told) { [weak self] isConfirmed in
            guard let self, isConfirmed else { return true }
            posting.removeAll { $0 === told.transaction }
            finish(told.transaction)
            return false
        }
    }
}

// MARK: At the end of a restore

/// Keeps what a restore brings until StoreKit says that it was all.
///
/// Habit: grants and finishes restored transactions together, at the end of the restore or at its failure.
final class RestoreAtEndShop: UnusualShop {
    override class var name: String { "unusual-restore-at-end" }
    override class var summary: String { "Grants and finishes restored transactions when the restore ends." }

    private var kept: [Delivery] = []

    override func restoredEarlier(_ told: Delivery) {
        if restores.isEmpty || order(for: told) != nil { return super.restoredEarlier(told) }
        if !kept.contains(where: { $0.transaction === told.transaction }) { kept.append(told) }
    }

    private func takeAll() {
        let all = kept
        kept = []
        for told in all { super.restoredEarlier(told) }
    }

    override func restoreSucceeded() {
        takeAll()
        super.restoreSucceeded()
    }

    override func restoreFailed(_ error: any Error) {
        takeAll()
        super.restoreFailed(error)
    }
}
