// stuck-transaction, illegal-finish: what the app did with the transactions on its queue.

import Simulation

extension UserStory {
    func judgeFinishes(into violations: inout [Violation]) {
        for finish in queue.finishes where finish.note.state == .purchasing || finish.note.state == .deferred {
            violations.append(
                Violation(
                    .illegalFinish, finish.moment, product: finish.note.product, .state(finish.note.state)))
        }
    }

    /// Unfinished failed and restored transactions come back at every launch (R5, R30).
    /// What the store had heard of before leaves by itself. Purchased ones, and those that the store counts as such
    /// whatever it tells (R23), are judged by the store's books.
    func judgeUnfinished(into violations: inout [Violation]) {
        let books = goods.now.purchases
        for track in books where track.isStuck {
            violations.append(
                Violation(
                    rule: .stuckTransaction, at: end, product: track.product, transaction: track.id,
                    finding: .state(.purchased)))
        }
        for track in queue.handles
        where !track.isFinished && !track.isRemoved && (track.state == .failed || track.state == .restored)
            && !books.contains(where: { $0.id == track.identity }) && !hasLeftTheQueue(since: track.process)
        {
            var violation = Violation(
                rule: .stuckTransaction, at: end, process: Int(track.process), product: track.product,
                transaction: track.identity, finding: .state(track.state))
            violation.payment = track.payment
            violations.append(violation)
        }
    }

    /// An app that was updated to StoreKit 2 has no observer any more for what had failed.
    private func hasLeftTheQueue(since process: Int32) -> Bool {
        input.usesStoreKit2 && !launches.observers.contains { $0.moment.process > process && $0.count > 0 }
    }
}
