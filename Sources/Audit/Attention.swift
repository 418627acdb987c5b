// Whether the app is there when it is needed: observers after the background, promoted purchases, restores that nobody
// asked for. Read record by record, as the other books.

import Simulation

struct Attention {
    private var hasObserved = false
    /// In the foreground again, and nobody on the queue since.
    private var deafSince: (at: Instant, process: Int32)?
    private var promotions: [Promotion] = []

    /// An app may put its observer back in a block of its own.
    private static let grace = Span.seconds(1)

    /// A product that the user tapped in the store.
    private struct Promotion {
        let product: ProductIndex
        let tappedAt: Instant
        let process: Int32
        var answer: PromotionAnswer?
        /// The launch ended, or nothing more was to come, and nothing had been made of it.
        var isIgnored = false
    }

    mutating func begin() {
        promotions.removeAll(keepingCapacity: true)
        processBegan()
    }

    mutating func processBegan() {
        hasObserved = false
        deafSince = nil
    }

    // MARK: Observers

    mutating func observerAdded(_ record: HistoryRecord, into findings: inout AuditFindings) {
        hasObserved = true
        hearsAgain(at: record.at, into: &findings)
    }

    mutating func foregrounded(_ record: HistoryRecord, observers: Int) {
        if hasObserved, observers == 0 { deafSince = (record.at, record.process) }
    }

    mutating func backgrounded(_ record: HistoryRecord, into findings: inout AuditFindings) {
        hearsAgain(at: record.at, into: &findings)
    }

    private mutating func hearsAgain(at instant: Instant, into findings: inout AuditFindings) {
        guard let since = deafSince.take() else { return }
        if instant - since.at <= Self.grace { return }
        findings.violations.append(
            Violation(rule: .deafAfterBackground, at: since.at, process: Int(since.process)))
    }

    // MARK: Promotions

    mutating func promotionTapped(_ product: ProductIndex, _ record: HistoryRecord) {
        promotions.append(Promotion(product: product, tappedAt: record.at, process: record.process))
    }

    /// - Parameter mayRefuse: whether something speaks against buying this product now.
    mutating func promotionTold(_ product: ProductIndex?, _ answer: PromotionAnswer, mayRefuse: Bool) {
        guard let place = promotions.firstIndex(where: { $0.product == product && $0.answer == nil }) else { return }
        // Taken up, or turned down for a reason.
        if answer == .added || mayRefuse {
            promotions.remove(at: place)
        } else {
            promotions[place].answer = answer
            promotions[place].isIgnored = answer == .unheard
        }
    }

    /// A payment for the product, now or later: the promotion was taken up.
    mutating func paymentAdded(_ payment: DeviceEvent.PaymentNote) {
        if promotions.isEmpty { return }
        promotions.removeAll { $0.product == payment.product && $0.answer == .notNow }
    }

    // MARK: The end

    mutating func processEnded(
        _ end: ProcessEnd, _ process: Int32, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        hearsAgain(at: end.at, into: &findings)
        for place in promotions.indices.reversed()
        where promotions[place].process == process && !promotions[place].isIgnored {
            if end.showedNothing(since: promotions[place].tappedAt, patience: input.patience) {
                promotions[place].isIgnored = true
            } else {
                promotions.remove(at: place)
            }
        }
    }

    func settle(into findings: inout AuditFindings) {
        for promotion in promotions where promotion.isIgnored {
            findings.violations.append(
                Violation(
                    rule: .ignoredPromotion, at: promotion.tappedAt, process: Int(promotion.process),
                    product: promotion.product, finding: .promoted(promotion.answer)))
        }
    }
}
