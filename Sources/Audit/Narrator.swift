// Words for what the audit found: the one place that renders facts.
// Pure; any thread.

import Foundation
package import Simulation

/// Tells the story of one user's device.
package struct Narrator {
    let story: UserStory
    var input: AuditInput { story.input }

    package init(_ input: AuditInput) { story = UserStory(of: input) }

    package init(_ story: UserStory) { self.story = story }

    /// One numbered line of a timeline.
    package struct Line: Sendable, Equatable {
        package let at: Instant
        package let text: String
        /// The text without who says it, for a diagram whose arrow shows that.
        package let label: String
        /// Who does it.
        package let from: Party
        /// Whom it reaches; the same where it is done alone.
        package let to: Party
    }

    /// Who takes part in a story.
    package enum Party: String, Sendable, Codable, CaseIterable {
        case person
        case app
        case storeKit
        case appStore
    }

    // MARK: Words

    func name(_ product: ProductIndex?) -> String {
        product.map { input.catalog[$0].shortName } ?? "an unknown product"
    }

    /// `00:03:12.480`, since the start of the run.
    func clock(_ instant: Instant) -> String {
        let total = instant.nanoseconds / 1_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let milliseconds = total % 1_000
        let padding = milliseconds < 10 ? "00" : milliseconds < 100 ? "0" : ""
        return
            "\(two(total / 3_600_000)):\(two(total / 60_000 % 60)):\(two(total / 1_000 % 60)).\(padding)\(milliseconds)"
    }

    func price(_ product: ProductIndex, quantity: Int) -> String {
        "\(input.catalog[product].price * Decimal(quantity)) \(input.catalog.storefront.currencyCode)"
    }

    // MARK: The timeline

    /// Everything that happened to the user, store and device side, in order of time.
    package var timeline: [Line] { lines(nil).map(\.line) }

    /// The places of those lines of the timeline that are about a violation's transaction or request.
    package func places(about violation: Violation) -> [Int] {
        let lines = lines(Subject(violation, transaction(violation.transaction)))
        return lines.indices.filter { lines[$0].isAboutIt }
    }

    typealias Told = (line: Line, isAboutIt: Bool)

    private func lines(_ subject: Subject?) -> [Told] {
        // Stable: what happened on the device in one instant keeps its order; the store's part of that instant comes
        // first, because the device only ever learns of it afterwards.
        let store: [Told] = storeLines.map { ($0.line, subject?.isAbout($0.transaction) ?? false) }
        let lines = store.map { ($0, 0) } + deviceLines(subject).map { ($0, 1) }
        return lines.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.0.line.at != second.0.line.at { return first.0.line.at < second.0.line.at }
            if first.1 != second.1 { return first.1 < second.1 }
            return left.offset < right.offset
        }.map(\.element.0)
    }

    private func deviceLines(_ subject: Subject?) -> [Told] {
        input.history.compactMap { record in
            text(record).map { text in
                let parties = Self.parties(record.event)
                let line = Line(
                    at: record.at, text: text, label: told(record.event) ?? text, from: parties.from, to: parties.to)
                return (line, subject?.matches(record) ?? false)
            }
        }
    }

    // One line a kind of event: a long function, and a flat one.
    func text(_ record: HistoryRecord) -> String? {
        switch record.event {
        case .launched: return "launch \(record.process) begins"
        case .launchReturned(let observers): return "launch returns with \(count(observers, "observer")) on the queue"
        case .willTerminate: return "the app is told that it will be terminated"
        case .terminated: return "the app is terminated"
        case .crashed(let note):
            return note.effect.map { "the app crashes just before its effect \($0)" } ?? "the app crashes"
        case .backgrounded: return "the app goes to the background"
        case .foregrounded: return "the app comes to the foreground"
        case .reinstalled: return "the app is deleted and installed again"
        case .settlingBegan: return "the run is over: the link comes back, the app is launched once more"
        case .accountSwitched: return "the user signs in with the other account"
        case .settled(let note):
            return note.isChanging
                ? "the app still changes something in launch \(note.launches) of the settling: judged as it is"
                : "nothing is under way any more"
        case .promotionTapped(let product):
            return "the user taps \(name(product)) in the App Store, which leads them to the app"
        case .promotionTold(let product, let answer):
            return "StoreKit asks whether the promoted purchase of \(name(product)) goes on: \(words(for: answer))"
        case .receiptArrived(let writtenAt): return "the receipt comes, as of \(clock(writtenAt))"
        case .overworked(let asked, _):
            return "the system ends the app: it asked for something \(asked) times within a second"
        case .asked(let question): return text(question)
        case .answered(let answer):
            return "the app answers\(answer.kind == .fetch ? "" : " request \(answer.number)"): \(words(for: answer))"
        case .used(let product, let count): return "the user uses \(count) of the goods of \(name(product))"
        case .observerAdded(let times):
            return times > 1 ? "the same observer is added for the \(ordinal(times)) time" : "an observer is added"
        case .observerRemoved(let left): return "an observer is removed, \(left) left"
        case .paymentAdded(let payment):
            let what = "\(payment.quantity) × \(name(payment.product))"
            return payment.isPromoted
                ? "payment \(payment.payment), for the promoted \(what), is added"
                : "the app adds payment \(payment.payment) for \(what)"
        case .told, .removedTold, .receiptRefreshTold, .receiptRefreshFailedTold, .revokedTold, .restoreFinishedTold,
            .restoreFailedTold:
            return told(record.event).map { "StoreKit tells: \($0)" }
        case .failureTold(_, let failure): return "   because: \(words(for: failure))"
        case .finishCalled(let transaction): return "the app finishes \(name(transaction))"
        case .receiptRefreshStarted: return "the app refreshes its receipt"
        case .restoreCalled: return "the app restores completed transactions"
        case .productsStarted: return "the app starts a products request"
        case .productsTold(let products):
            return productsTold(found(products), isHeard: products.isHeard)
        case .productsFailedTold(_, let failure, let isHeard):
            return productsTold(productsFailed(failure), isHeard: isHeard)
        case .admitted(let note):
            return "the device learns from the store of unfinished transaction \(note.transaction.text)"
        case .requestLost(let message): return "lost on the way: \(words(for: message))"
        case .answerLost(let message): return "the answer is lost on the way: \(words(for: message))"
        case .posted: return "the app sends its receipt to the validator"
        case .postAnswered(_, .failed(let code)):
            return "the validator does not answer: \(words(for: .network(code: Int(code))))"
        case .postAnswered(_, .status(let status)):
            return "the validator answers: \(status == 200 ? "valid" : "HTTP status \(status)")"
        case .goods(let product, let count): return "goods of \(name(product)) held durably: \(count)"
        case .stored(let count): return "the app writes \(self.count(count, "value")) to storage"
        case .mainQueueHeld(let time, _, let call):
            return "the client held the main queue for \(duration(time)) in \(words(for: call))"
        case .hung(let time, let call):
            return "the client has not come back from \(words(for: call)) after \(duration(time))"
        case .calledOffLane: return "the client calls from outside its device's queue"
        case .raised(let exception): return "the client raises: \(exception)"
        case .foreignFinish: return "the app finishes a transaction that is not on its queue"
        }
    }

    private func text(_ question: DeviceEvent.Question) -> String {
        switch question.kind {
        case .fetch: "the user opens the shop"
        case .purchase: "the user buys \(question.quantity) × \(name(question.product)) (request \(question.number))"
        case .restore: "the user asks to restore (request \(question.number))"
        }
    }

    private func productsTold(_ what: String, isHeard: Bool) -> String {
        isHeard ? "StoreKit tells: \(what)" : "StoreKit tells nobody, because the app let go of its request: \(what)"
    }

    /// What StoreKit tells the app; nil for what it does not tell.
    func told(_ event: DeviceEvent) -> String? {
        switch event {
        case .told(let transaction): "\(name(transaction)) is \(transaction.state)"
        case .removedTold(let transaction):
            "\(transaction.id == nil ? name(transaction.product) : name(transaction)) is removed"
        case .receiptRefreshTold: "the receipt is fresh"
        case .receiptRefreshFailedTold(_, let failure): "the receipt could not be refreshed: \(words(for: failure))"
        case .revokedTold(let transaction, let product):
            "transaction \(transaction.text) (\(name(product))) was taken back"
        case .restoreFinishedTold: "the restore is finished"
        case .restoreFailedTold(let failure): "the restore failed: \(words(for: failure))"
        case .productsTold(let products): products.isHeard ? found(products) : nil
        case .productsFailedTold(_, let failure, let isHeard): isHeard ? productsFailed(failure) : nil
        case .launched, .launchReturned, .willTerminate, .terminated, .crashed, .backgrounded, .foregrounded,
            .reinstalled, .settlingBegan, .accountSwitched, .settled, .asked, .answered, .used, .observerAdded,
            .observerRemoved, .paymentAdded, .finishCalled, .failureTold, .restoreCalled, .receiptRefreshStarted,
            .receiptArrived, .promotionTapped, .promotionTold, .productsStarted, .admitted, .requestLost, .answerLost,
            .posted, .postAnswered, .goods, .stored, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised,
            .foreignFinish:
            nil
        }
    }

    func words(for call: ClientCall) -> String {
        switch call {
        case .launch: return "its launch"
        case .willTerminate: return "its termination"
        case .didEnterBackground: return "going to the background"
        case .willEnterForeground: return "coming to the foreground"
        case .fetchProducts: return "fetching products"
        case .purchase: return "starting a purchase"
        case .restore: return "starting a restore"
        case .use: return "using goods"
        case .holdings: return "telling what is held"
        case .observer: return "a callback of its transaction observer"
        case .requestDelegate: return "a callback of its request's delegate"
        case .queueDelegate: return "a question to its queue's delegate"
        case .promotion: return "a promoted purchase"
        case .mainQueueBlock: return "a block on its main queue"
        case .ownQueueBlock: return "a block on a queue of its own"
        case .webAnswer: return "the handler of a server's answer"
        }
    }

    /// Real time, as far as it matters: milliseconds, and seconds from ten on.
    func duration(_ time: Span) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }

    func count(_ number: Int, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    private func ordinal(_ number: Int) -> String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return "\(number)" + ((11...13).contains(number % 100) ? "th" : endings[number % 10] ?? "th")
    }

    private func found(_ products: DeviceEvent.ProductsNote) -> String {
        "\(count(Int(products.found), "product")) found"
    }

    private func productsFailed(_ failure: StoreFailure) -> String {
        "the products request failed: \(words(for: failure))"
    }

    func name(_ transaction: DeviceEvent.TransactionNote) -> String {
        let product = name(transaction.product)
        if let id = transaction.id { return "transaction \(id.text) (\(product))" }
        return transaction.payment.map { "payment \($0) (\(product))" } ?? product
    }

    private func words(for answer: PromotionAnswer) -> String {
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
        case .nothingToRestore: "nothing to restore"
        case .restored: "restored \(answer.count)"
        case .purchased, .cancelled, .deferred, .failed, .refused: "\(answer.code)"
        }
    }

    func words(for failure: StoreFailure) -> String {
        switch failure {
        case .store(let error): return "SKError \(error)"
        case .network(let code): return "NSURLError \(code)"
        case .alreadySubscribed: return "SKError unknown, already subscribed"
        case .interrupted: return "SKError unknown, the account must be mended first"
        case .undocumentedCancel: return "SKError 907, a cancel"
        case .tooManyRefreshes: return "SKError unknown, the receipt was refreshed a moment ago"
        case .noError: return "no error is given"
        }
    }
}
