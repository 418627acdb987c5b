// What the user asks of the app, and what the app answers.
// Guard: the device's lane.

import ClientKit
import Scenario
import Simulation

extension UserRunner {
    /// Asks for products; the number of the request.
    func askForProducts(_ identifiers: [String]?) -> Int {
        let askedAt = device.lane.now
        return ask(.fetch) { [cell] client, answer in
            client.fetchProducts(identifiers) { outcome in
                switch outcome {
                case .fetched(let shown):
                    let unsold = shown.count { !cell.sells($0, at: askedAt) }
                    answer(Answer(code: .fetched, count: shown.count, unsold: unsold))
                case .failed(let message): answer(Answer(code: .failed, message: message))
                }
            }
        }
    }

    func askToBuy(_ buy: BuyStep) -> Int {
        let quantity = Int(buy.quantity.draw(&chance))
        let (identifier, product) = target(of: buy)
        return ask(.purchase, product: product, quantity: quantity) { client, answer in
            client.purchase(identifier, quantity: quantity) { outcome in
                switch outcome {
                case .purchased: answer(Answer(code: .purchased))
                case .cancelled: answer(Answer(code: .cancelled))
                case .deferred: answer(Answer(code: .deferred))
                case .failed(let message): answer(Answer(code: .failed, message: message))
                case .refused(let reason): answer(Answer(code: .refused, message: reason))
                }
            }
        }
    }

    func askToRestore() -> Int {
        ask(.restore) { client, answer in
            client.restore { outcome in
                switch outcome {
                case .restored(let count): answer(Answer(code: count > 0 ? .restored : .nothingToRestore, count: count))
                case .cancelled: answer(Answer(code: .cancelled))
                case .failed(let message): answer(Answer(code: .failed, message: message))
                }
            }
        }
    }

    /// What the app told its user.
    private struct Answer {
        let code: AnswerCode
        /// Products shown, or purchases restored.
        var count = 0
        /// Of the products shown, those that the store does not sell.
        var unsold = 0
        /// Of a failure or a refusal.
        var message: String?
    }

    private func target(of buy: BuyStep) -> (identifier: String, product: ProductIndex?) {
        switch buy.target {
        case .product(let product): return (cell.products[product].identifier, product)
        case .unknown(let identifier): return (identifier, nil)
        case .oneOf(let weights):
            let product = chance.choose(weights) { $0.weight }.product
            return (cell.products[product].identifier, product)
        }
    }

    /// Puts a question to the client. Every answer, the second one too, passes the fence and is recorded.
    private func ask(
        _ kind: RequestKind, product: ProductIndex? = nil, quantity: Int = 0,
        _ body: (any StoreClient, @escaping (Answer) -> Void) -> Void
    ) -> Int {
        let number = nextRequest
        nextRequest += 1
        guard let process = device.process, let client else { return number }
        process.record(
            .asked(
                .init(
                    kind, Int32(number), product: product, quantity: Int32(clamping: quantity),
                    plannedAt: device.lane.plannedNow)))
        let userDevice = userDevice
        userDevice.pending.append(PendingRequest(number: number, kind: kind))
        process.personActed()
        process.requestInCall = Int32(number)
        process.enter(kind.call) {
            body(client) { [self] given in
                @Sendable func answer() {
                    guard process.passes(.answer) else { return }
                    process.record(
                        .answered(
                            .init(
                                given.code, to: kind, Int32(number), product: product,
                                count: Int32(clamping: given.count), unsold: Int32(clamping: given.unsold),
                                message: process.device.noteMessage(given.message))))
                    lastAnswer = given.code
                    answered(number, on: userDevice)
                }
                // A client may answer from a queue of its own.
                process.device.lane.isCurrent ? answer() : process.device.performFromOutside(process, answer)
            }
        }
        process.requestInCall = nil
        return number
    }
}
