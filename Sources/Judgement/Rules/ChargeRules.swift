// unasked-charge: a charge is explained by a request of the user, once; by a promotion; or by something outside the app.

import Simulation

extension UserStory {
    func judgeCharges(into violations: inout [Violation]) {
        if requests.payments.isEmpty { return }
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
