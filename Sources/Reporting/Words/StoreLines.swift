// The App Store's part of a user's story.
// Pure; any thread.

import Foundation
import Judgement
import ReportModel
import Simulation

extension Narrator {
    /// A line, the transaction that it names, and what made the store act, if the device did.
    typealias StoreLine = (line: Report.TimelineEntry, transaction: TransactionID?, cause: StoreCause?)

    /// What a device does that the store answers.
    enum StoreCause {
        case payment(Int32)
        case finish(TransactionID)
    }

    var storeLines: [StoreLine] {
        var lines: [StoreLine] = []
        for transaction in input.statement.transactions {
            if let beginning = beginning(of: transaction) { lines.append(beginning) }
        }
        for attempt in input.statement.attempts {
            if let sheet = attempt.sheetAt {
                lines.append(
                    store(
                        sheet, "shows the payment sheet for \(name(attempt.product))", to: .person,
                        after: cause(of: attempt)))
            }
            lines += decisions(attempt)
        }
        for transaction in input.statement.transactions {
            guard let finished = transaction.finishedAt, !transaction.isOfThePast else { continue }
            let text = "notes transaction \(transaction.id.text) as finished"
            lines.append(store(finished, text, after: .finish(transaction.id)))
        }
        for revocation in input.statement.transactions {
            guard let at = revocation.revokedAt else { continue }
            lines.append(
                store(
                    at, "revokes \(name(revocation.product)) (transaction \(revocation.id.text))",
                    of: revocation.id))
        }
        for notification in input.statement.notifications {
            let id = notification.transaction.text
            let text = "validator: tells the app's server of transaction \(id) (\(name(notification.product)))"
            lines.append((Report.TimelineEntry(notification.at, .by(.appStore, text)), notification.transaction, nil))
        }
        return lines
    }

    private func store(
        _ instant: Instant, _ text: String, to party: Report.Party = .appStore, of transaction: TransactionID? = nil,
        after cause: StoreCause? = nil, kind: Report.TimelineEntry.Kind? = nil
    ) -> StoreLine {
        let words = EventWords(text: "App Store: " + text, label: text, from: .appStore, to: party, trigger: nil)
        var line = Report.TimelineEntry(instant, words)
        line.kind = kind
        return (line, transaction, cause)
    }

    /// Transactions that no payment explains by its own lines.
    private func beginning(of transaction: StoreTransaction) -> StoreLine? {
        let id = transaction.id
        let product = name(transaction.product)
        switch transaction.origin {
        case .payment:
            return nil
        case .beforeRun:
            let state = transaction.isOfThePast ? "finished" : "not finished"
            return store(
                .start, "before the run, \(product) was bought and \(state) (transaction \(id.text))", of: id,
                kind: transaction.isOfThePast ? nil : .charge)
        case .interruption:
            return store(
                transaction.at, "the account problem is resolved: \(charges(transaction))", of: id,
                kind: kind(transaction))
        case .renewal:
            return store(
                transaction.at, "renews \(product)\(atOffer(transaction)) (transaction \(id.text))", of: id,
                kind: kind(transaction))
        case .offerCode:
            return store(
                transaction.at, "a code for \(product) is redeemed\(atOffer(transaction)) (transaction \(id.text))",
                of: id, kind: kind(transaction))
        case .outside:
            return store(
                transaction.at,
                "\(product) is bought outside the app\(atOffer(transaction)) (transaction \(id.text))", of: id,
                kind: kind(transaction))
        case .familySharing:
            return store(transaction.at, "the family shares \(product) (transaction \(id.text))", of: id)
        }
    }

    /// `charges 0 USD for 1 × silver, a free trial (transaction 100000000000001)`
    private func charges(_ transaction: StoreTransaction) -> String {
        "charges \(price(of: transaction)) for \(transaction.quantity) × \(name(transaction.product))"
            + "\(offer(of: transaction).map { ", \($0)" } ?? "") (transaction \(transaction.id.text))"
    }

    /// What is paid where it is not the full price.
    private func atOffer(_ transaction: StoreTransaction) -> String {
        transaction.offer == nil ? "" : " for \(price(of: transaction))"
    }

    /// Of what is free no money is taken.
    private func kind(_ transaction: StoreTransaction) -> Report.TimelineEntry.Kind? {
        input.catalog.amount(of: transaction) > 0 ? .charge : nil
    }

    private func decisions(_ attempt: PurchaseAttempt) -> [StoreLine] {
        let id = attempt.outcome.purchase
        let decided = attempt.decidedAt ?? attempt.arrivedAt
        guard let resolved = attempt.resolvedAt, attempt.completedBy == nil else {
            return [
                store(decided, outcome(attempt), to: .storeKit, of: id, after: cause(of: attempt), kind: kind(attempt))
            ]
        }
        return [
            store(decided, "waits for approval of \(name(attempt.product))", after: cause(of: attempt)),
            store(
                resolved, "the approval request is answered: " + outcome(attempt), to: .storeKit, of: id,
                kind: kind(attempt)),
        ]
    }

    private func cause(of attempt: PurchaseAttempt) -> StoreCause { .payment(Int32(attempt.payment.number)) }

    private func kind(_ attempt: PurchaseAttempt) -> Report.TimelineEntry.Kind? {
        if case .charged(let id) = attempt.outcome { return story.transaction(id).flatMap(kind) }
        return nil
    }

    private func outcome(_ attempt: PurchaseAttempt) -> String {
        let product = name(attempt.product)
        switch attempt.outcome {
        case .undecided: return "still waits for the buyer's decision on \(product)"
        case .charged(let id):
            return story.transaction(id).map { charges($0) } ?? "charges \(product) (transaction \(id.text))"
        case .repeated(let id): return "\(product) is owned already, nothing is charged (transaction \(id.text))"
        case .existing(let id):
            return "\(product) has an unfinished purchase, nothing is charged (transaction \(id.text) again)"
        case .cancelled: return "the buyer cancels \(product)"
        case .refused(let failure): return "refuses the payment for \(product): \(words(for: failure))"
        case .awaitsApproval: return "waits for approval of \(product)"
        case .declined: return "approval of \(product) is refused"
        case .interrupted: return "the account problem must be resolved before \(product) can be bought"
        }
    }
}
