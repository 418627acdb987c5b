// Words for single facts: products, times, answers, failures, calls.
// Pure; any thread.

import Foundation
import Judgement
package import Simulation

extension Narrator {
    func name(_ product: ProductIndex?) -> String {
        product.map { input.catalog[$0].shortName } ?? "an unknown product"
    }

    /// `` `ReceiptObserver` ``: which of several observers finished it.
    func observer(_ finish: DeviceEvent.TransactionNote) -> String? {
        input.names.observers[finish.observer].map { "`\($0)`" }
    }

    /// The same as who does it: ``the app's `ReceiptObserver` ``.
    func finisher(_ finish: DeviceEvent.TransactionNote) -> String? { observer(finish).map { "the app's \($0)" } }

    func name(_ transaction: DeviceEvent.TransactionNote) -> String {
        let product = name(transaction.product)
        if let id = transaction.id { return "transaction \(id.text) (\(product))" }
        return transaction.payment.map { "payment \($0) (\(product))" } ?? product
    }

    /// `00:03:12.480`, since the start of the run.
    func clock(_ instant: Instant) -> String { HumanNumbers.clock(nanoseconds: instant.nanoseconds) }

    /// `2.103 s`
    func seconds(_ time: Span) -> String {
        HumanNumbers.fixed(Double(time.nanoseconds / 1_000_000) / 1_000, decimals: 3) + " s"
    }

    /// `14.99 USD`, at the price of the offer that applied.
    func price(of transaction: StoreTransaction) -> String {
        "\(input.catalog.amount(of: transaction)) \(input.catalog.storefront.currencyCode)"
    }

    /// `a free trial`, `the promotional offer "winback"`; nil at the full price.
    func offer(of transaction: StoreTransaction) -> String? {
        guard let applied = transaction.offer else { return nil }
        let isFree = input.catalog.offer(of: transaction)?.paymentMode == .freeTrial
        return switch applied {
        case .introductory: isFree ? "a free trial" : "an introductory offer"
        case .promotional(let name): "the promotional offer \"\(name)\"\(isFree ? ", free" : "")"
        case .winBack(let name): "the win-back offer \"\(name)\"\(isFree ? ", free" : "")"
        case .code: isFree ? "the offer of a code, free" : "the offer of a code"
        }
    }

    /// Real time, as far as it matters: milliseconds, and seconds from ten on.
    func duration(_ time: Span) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }

    func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    func ordinal(_ number: Int) -> String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return "\(number)" + ((11...13).contains(number % 100) ? "th" : endings[number % 10] ?? "th")
    }

    func list(_ words: [String]) -> String { HumanNumbers.list(words) }

    // MARK: Cases

    func words(for wait: ClientWait) -> String {
        switch wait {
        case .unknown: "something"
        case .semaphore: "a semaphore"
        case .group: "a group that is not empty"
        case .queue: "its turn on a queue that is held"
        case .condition: "a condition"
        case .time: "time to pass"
        }
    }

    func words(for answer: PromotionAnswer) -> String {
        switch answer {
        case .added: "yes"
        case .notNow: "not now"
        case .unheard: "no observer implements the question"
        }
    }

    func words(for answer: DeviceEvent.Answer) -> String {
        switch answer.code {
        case .fetched:
            "products shown: \(answer.count)"
                + (answer.unsold == 0 ? "" : ", of which the store does not sell \(answer.unsold)")
        case .nothingToRestore: answer.code.words
        case .restored: "restored \(answer.count)"
        case .purchased, .cancelled, .deferred, .failed, .refused: answer.code.words
        }
    }

    func words(for failure: StoreFailure) -> String {
        switch failure {
        case .store: "SKError \(failure.code)"
        case .network(let code): "NSURLError \(code)"
        case .alreadySubscribed: "SKError unknown, already subscribed"
        case .interrupted: "SKError unknown, the account problem must be resolved first"
        case .undocumentedCancel: "SKError 907, a cancel"
        case .tooManyRefreshes: "SKError unknown, the receipt was refreshed a moment ago"
        case .noError: "no error is given"
        }
    }

    /// What a lost message was about.
    func words(for message: DeviceEvent.LostNote) -> String {
        switch message.kind {
        case .products: "the request for products"
        case .purchase: "the payment for \(name(message.product))"
        case .restore: "the request for restorable purchases"
        case .sync: "the request for unfinished purchases"
        case .finish: "that transaction \(message.transaction?.text ?? "") is finished"
        case .redeemOffer: "the redemption of a code"
        case .refund: "the request for a refund"
        case .refreshReceipt: "the request for a fresh receipt"
        case .priceConsent: "the sheet for a higher price"
        case .post: lostRequest(to: input.names.addresses[message.address])
        }
    }
}

extension ClientCall {
    /// What the client is called for.
    package var words: String {
        switch self {
        case .launch: "its launch"
        case .willTerminate: "its termination"
        case .didEnterBackground: "entering the background"
        case .willEnterForeground: "entering the foreground"
        case .fetchProducts: "fetching products"
        case .purchase: "starting a purchase"
        case .restore: "starting a restore"
        case .use: "using goods"
        case .holdings: "reporting what is held"
        case .observer: "a callback of its transaction observer"
        case .requestDelegate: "a callback of its request's delegate"
        case .queueDelegate: "a question to its queue's delegate"
        case .promotion: "a promoted purchase"
        case .mainQueueBlock: "a block on its main queue"
        case .ownQueueBlock: "a block on a queue of its own"
        case .webAnswer: "the handler of a server's answer"
        case .letGo: "a deinit, as its process ended"
        case .resumption: "a task that waited for StoreKit"
        }
    }
}
