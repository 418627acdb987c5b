// asked-again: what the user asked for once is paid for once, until StoreKit has told how that ended.
// unasked-charge: a charge is explained by a request of the user, once; by a promotion; or by something outside the app.

import Simulation

extension UserStory {
    func judgeCharges(into violations: inout [Violation]) {
        if requests.payments.isEmpty { return }
        judgeSecondPayments(into: &violations)
        let statement = input.statement
        var isCharged = [Bool](repeating: false, count: requests.all.count)
        // By place: a copy of each would count its references.
        for index in statement.transactions.indices where statement.transactions[index].isCharged {
            guard let token = statement.transactions[index].payment,
                let payment = requests.track(ofPayment: Int32(token.number)), !payment.isExplained
            else { continue }
            let product = statement.transactions[index].product
            let asked: Violation.Request?
            if let place = payment.request {
                var isRepeated = isCharged[place]
                isCharged[place] = true
                // Of alike purchases, which payment is whose is a guess.
                if isRepeated, let twin = unpaidTwin(of: place, isCharged) {
                    isCharged[twin] = true
                    isRepeated = false
                }
                let isOther = requests.all[place].product != product
                if !isRepeated, !isOther { continue }
                asked = Violation.Request(kind: .purchase, number: requests.all[place].number)
            } else {
                asked = nil
            }
            let transaction = statement.transactions[index]
            violations.append(
                Violation(
                    rule: .unaskedCharge, at: transaction.at, process: Int(payment.process),
                    product: product, transaction: transaction.id, request: asked))
        }
    }

    private func judgeSecondPayments(into violations: inout [Violation]) {
        if !arePaymentsUnderWayTogether { return }
        // By place, as above. Payments of this launch for which StoreKit had delivered nothing final.
        var undecided: [Int] = []
        for place in requests.payments.indices {
            let payment = requests.payments[place]
            undecided.removeAll {
                requests.payments[$0].process != payment.process
                    || !requests.payments[$0].isUndecided(at: payment.added)
            }
            if let first = undecided.first(where: { isSecond(payment, to: requests.payments[$0]) }) {
                var violation = Violation(.askedAgain, payment.added, product: payment.product)
                violation.payment = payment.token
                violation.request = requests.payments[first].request.map {
                    Violation.Request(
                        kind: .purchase, number: requests.all[$0].number, payment: requests.payments[first].token)
                }
                violations.append(violation)
            }
            undecided.append(place)
        }
    }

    /// Whether any two were: then two that follow each other were. For most users none, and nothing needs to be kept.
    private var arePaymentsUnderWayTogether: Bool {
        requests.payments.indices.dropFirst().contains { place in
            requests.payments[place - 1].process == requests.payments[place].process
                && requests.payments[place - 1].isUndecided(at: requests.payments[place].added)
        }
    }

    /// Whether one request of the user is all that explains both payments.
    private func isSecond(_ payment: PaymentTrack, to first: PaymentTrack) -> Bool {
        guard first.request != nil, first.product == payment.product else { return false }
        return payment.request == first.request
            || payment.request == nil && !payment.isPromoted && !payment.isExplained
    }

    /// An alike purchase that was open beside it, and that the app has not given up.
    private func unpaidTwin(of place: Int, _ isCharged: [Bool]) -> Int? {
        requests.all.indices.first {
            $0 != place && !isCharged[$0] && requests.all[$0].kind == .purchase && requests.all[$0].payment == nil
                && [nil, .purchased, .deferred].contains(requests.all[$0].answer)
                && requests.all[$0].product == requests.all[place].product
                && requests.all[$0].quantity == requests.all[place].quantity
                && requests.all[$0].overlaps(requests.all[place])
        }
    }
}

extension PaymentTrack {
    /// Whether it was under way at a moment, or waited for approval.
    fileprivate func isUndecided(at moment: Moment) -> Bool {
        if deferredAt != nil { return approvalEndedAt.map { $0 > moment.at } ?? true }
        return outcomeAt.map { moment < $0 } ?? true
    }
}
