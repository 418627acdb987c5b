// Purchases that wait to be confirmed by the receipt validator.
// Confined to the device's main queue.

import ClientKit
import Foundation
import Simulation
import StoreKit

/// Asks the receipt validator about purchases, with longer and longer pauses, until it has confirmed them.
///
/// What the process does not live to see is delivered again by StoreKit at the next launch, and asked about anew.
final class ReferenceValidation {
    /// The App Store knows of the purchase.
    var onConfirmed: ((SKPaymentTransaction) -> Void)?
    /// It may take long: tried once, and not confirmed.
    var onPostponed: ((SKPaymentTransaction) -> Void)?
    /// In the order in which StoreKit told of them.
    private(set) var waiting: [SKPaymentTransaction] = []

    private let environment: AppEnvironment
    private var isUnderWay = false
    private var pause = pauseMin

    private static let pauseMin = 0.5
    private static let pauseMax = 30.0

    init(environment: AppEnvironment) { self.environment = environment }

    func confirm(_ transaction: SKPaymentTransaction) {
        if waiting.contains(where: { $0 === transaction }) { return }
        waiting.append(transaction)
        if !isUnderWay { ask() }
    }

    private func ask() {
        isUnderWay = true
        let asked = waiting.count
        guard let receipt = environment.receipt?.encoded(),
            let body = try? JSONEncoder().encode(
                ValidatorRequest(
                    bundleIdentifier: environment.bundleIdentifier, receipt: receipt, applicationUsername: nil))
        else { return tryAgain(asked) }
        environment.http.post(environment.validatorURL, body) { [weak self] result in
            guard let self else { return }
            guard case .success(let response) = result, response.status == 200,
                let answer = try? JSONDecoder().decode(ValidatorAnswer.self, from: response.body)
            else { return tryAgain(asked) }
            take(answer, asked)
        }
    }

    /// - Parameter asked: how many waited when the receipt was sent; the others were told of since.
    private func take(_ answer: ValidatorAnswer, _ asked: Int) {
        var confirmed: [SKPaymentTransaction] = []
        var left: [SKPaymentTransaction] = []
        for transaction in waiting.prefix(asked) {
            if answer.lists(transaction) { confirmed.append(transaction) } else { left.append(transaction) }
        }
        waiting = left + waiting.dropFirst(asked)
        for transaction in confirmed { onConfirmed?(transaction) }
        if !left.isEmpty { return tryAgain(left.count) }
        pause = Self.pauseMin
        if waiting.isEmpty { isUnderWay = false } else { ask() }
    }

    private func tryAgain(_ asked: Int) {
        for transaction in waiting.prefix(asked) { onPostponed?(transaction) }
        environment.main.asyncAfter(seconds: pause) { [weak self] in self?.ask() }
        pause = min(pause * 2, Self.pauseMax)
    }
}

extension ValidatorAnswer {
    /// Whether the App Store sold just this: a purchase is known by its product and its moment.
    fileprivate func lists(_ transaction: SKPaymentTransaction) -> Bool {
        guard let date = transaction.transactionDate?.milliseconds else { return false }
        return data.collection.contains {
            $0.id == transaction.payment.productIdentifier && $0.purchaseDate == date
        }
    }
}
