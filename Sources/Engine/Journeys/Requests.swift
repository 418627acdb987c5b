// What the user asks of the app, and what the app answers.
// Guard: the device's lane.

import Clients
import Scenario
import Simulation

extension UserRunner {
    /// Asks for products; the number of the request.
    func askForProducts(_ identifiers: [String]?) -> Int {
        ask(.fetchProducts, .fetchAsked) { client, answer in
            client.fetchProducts(identifiers) { outcome in
                switch outcome {
                case .fetched: answer(.fetched, 0)
                case .failed: answer(.failed, 0)
                }
            }
        }
    }

    func askToBuy(_ buy: BuyStep) -> Int {
        let quantity = Int(buy.quantity.draw(&chance))
        let (identifier, product) = target(of: buy)
        return ask(.buy, .purchaseAsked, product: product, quantity: quantity) { client, answer in
            client.purchase(identifier, quantity: quantity) { outcome in
                switch outcome {
                case .purchased: answer(.purchased, 0)
                case .cancelled: answer(.cancelled, 0)
                case .deferred: answer(.deferred, 0)
                case .failed: answer(.failed, 0)
                case .refused: answer(.refused, 0)
                }
            }
        }
    }

    func askToRestore() -> Int {
        ask(.restore, .restoreAsked) { client, answer in
            client.restore { outcome in
                switch outcome {
                case .restored(let count): answer(count > 0 ? .restored : .nothingToRestore, count)
                case .cancelled: answer(.cancelled, 0)
                case .failed: answer(.failed, 0)
                }
            }
        }
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
        _ kind: Pending, _ asked: HistoryRecord.Kind, product: ProductIndex? = nil, quantity: Int = 0,
        _ body: (any StoreClient, @escaping (AnswerCode, Int) -> Void) -> Void
    ) -> Int {
        let number = nextRequest
        nextRequest += 1
        guard let process = device.process, let client else { return number }
        process.record(
            asked, product: product, number: Int64(number), other: device.lane.plannedNow.nanoseconds, code: quantity)
        let seat = seat
        seat.pending.append(PendingRequest(number: number, kind: kind))
        process.enter(kind.call) {
            body(client) { [self] code, count in
                @Sendable func answer() {
                    guard process.passes(.answer) else { return }
                    process.record(
                        asked.answer, product: product, number: Int64(number), other: Int64(count), code: code.rawValue)
                    lastAnswer = code
                    answered(number, on: seat)
                }
                // A client may answer from a queue of its own.
                process.device.lane.isCurrent ? answer() : process.device.performFromOutside(process, answer)
            }
        }
        return number
    }
}

extension Pending {
    /// The call that puts such a question to the client.
    fileprivate var call: ClientCall {
        switch self {
        case .fetchProducts: return .fetchProducts
        case .buy: return .purchase
        case .restore: return .restore
        case .any: preconditionFailure("no question is of any kind")
        }
    }
}

extension HistoryRecord.Kind {
    /// The record of an answer to a question of this kind.
    fileprivate var answer: HistoryRecord.Kind {
        switch self {
        case .fetchAsked: return .fetchAnswered
        case .purchaseAsked: return .purchaseAnswered
        case .restoreAsked: return .restoreAnswered
        default: preconditionFailure("\(self) is no question")
        }
    }
}
