// Words for what the audit found: the one place that renders facts.
// Pure; any thread.

import Foundation
package import Simulation

/// Tells the story of one user's device.
package struct Narrator {
    let input: AuditInput

    package init(_ input: AuditInput) { self.input = input }

    /// One numbered line of a timeline.
    package struct Line: Sendable, Equatable {
        package let at: Instant
        package let text: String
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
                let parties = Self.parties(record.kind)
                let line = Line(at: record.at, text: text, from: parties.from, to: parties.to)
                return (line, subject?.matches(record) ?? false)
            }
        }
    }

    // One line a kind of record: a long function, and a flat one.
    func text(_ record: HistoryRecord) -> String? {
        let product = name(record.productIndex)
        switch record.kind {
        case .launched: return "launch \(record.process) begins"
        case .launchReturned: return "launch returns with \(count(record.number, "observer")) on the queue"
        case .willTerminate: return "the app is told that it will be terminated"
        case .terminated: return "the app is terminated"
        case .crashed:
            return record.number == 0 ? "the app crashes" : "the app crashes just before its effect \(record.number)"
        case .backgrounded: return "the app goes to the background"
        case .foregrounded: return "the app comes to the foreground"
        case .reinstalled: return "the app is deleted and installed again"
        case .settlingBegan: return "the run is over: the link comes back, the app is launched once more"
        case .accountSwitched: return "the user signs in with the other account"
        case .settled:
            return record.code == 0
                ? "nothing is under way any more"
                : "the app still changes something in launch \(record.number) of the settling: judged as it is"
        case .promotionTapped: return "the user taps \(product) in the App Store, which leads them to the app"
        case .promotionTold:
            return "StoreKit asks whether the promoted purchase of \(product) goes on: \(promotion(record))"
        case .receiptArrived: return "the receipt comes, as of \(clock(Instant(nanoseconds: record.other)))"
        case .overworked:
            return "the system ends the app: it asked for something \(record.number) times within a second"
        case .fetchAsked: return "the user opens the shop"
        case .purchaseAsked: return "the user buys \(record.code) × \(product) (request \(record.number))"
        case .restoreAsked: return "the user asks to restore (request \(record.number))"
        case .fetchAnswered: return "the app answers: \(answer(record))"
        case .purchaseAnswered, .restoreAnswered: return "the app answers request \(record.number): \(answer(record))"
        case .used: return "the user uses \(record.number) of the goods of \(product)"
        case .observerAdded:
            return record.code > 1 ? "the same observer is added for the \(record.code)th time" : "an observer is added"
        case .observerRemoved: return "an observer is removed, \(record.code) left"
        case .paymentAdded:
            return record.other == HistoryRecord.promotedPayment
                ? "payment \(record.number), for the promoted \(record.code) × \(product), is added"
                : "the app adds payment \(record.number) for \(record.code) × \(product)"
        case .told, .removedTold, .receiptRefreshTold, .receiptRefreshFailedTold, .revokedTold, .restoreFinishedTold,
            .restoreFailedTold:
            return told(record).map { "StoreKit tells: \($0)" }
        case .failureTold: return "   because: \(failure(Int(record.code)))"
        case .finishCalled: return "the app finishes \(transaction(record))"
        case .receiptRefreshStarted: return "the app refreshes its receipt"
        case .restoreCalled: return "the app restores completed transactions"
        case .productsStarted: return "the app starts a products request"
        case .productsTold, .productsFailedTold:
            return told(record).map { "StoreKit tells: \($0)" }
                ?? "StoreKit tells nobody, because the app let go of its request: \(products(record))"
        case .admitted: return "the device learns from the store of unfinished transaction \(record.number)"
        case .requestLost: return "lost on the way: \(message(record))"
        case .answerLost: return "the answer is lost on the way: \(message(record))"
        case .posted: return "the app sends its receipt to the validator"
        case .postAnswered:
            return record.code < 0
                ? "the validator does not answer: \(words(for: .network(code: Int(record.code))))"
                : "the validator answers: \(record.code == 200 ? "valid" : "HTTP status \(record.code)")"
        case .goods: return "goods of \(product) held durably: \(record.number)"
        case .stored: return "the app writes \(count(record.number, "value")) to storage"
        case .mainQueueHeld:
            return "the client held the main queue for \(duration(record.number)) in \(call(Int(record.code)))"
        case .hung:
            return "the client has not come back from \(call(Int(record.code))) after \(duration(record.number))"
        case .calledOffLane: return "the client calls from outside its device's queue"
        case .raised:
            return "the client raises: \(ClientException(rawValue: Int(record.code)).map { "\($0)" } ?? "an exception")"
        case .foreignFinish: return "the app finishes a transaction that is not on its queue"
        }
    }

    /// What StoreKit tells the app; nil for what it does not tell.
    func told(_ record: HistoryRecord) -> String? {
        switch record.kind {
        case .told: "\(transaction(record)) is \(state(record))"
        case .removedTold: "\(transaction(record)) is removed"
        case .receiptRefreshTold: "the receipt is fresh"
        case .receiptRefreshFailedTold: "the receipt could not be refreshed: \(failure(Int(record.code)))"
        case .revokedTold: "transaction \(record.number) (\(name(record.productIndex))) was taken back"
        case .restoreFinishedTold: "the restore is finished"
        case .restoreFailedTold: "the restore failed: \(failure(Int(record.code)))"
        case .productsTold, .productsFailedTold: record.other == 0 ? products(record) : nil
        default: nil
        }
    }

    func call(_ code: Int) -> String {
        UInt8(exactly: code).flatMap(ClientCall.init).map { words(for: $0) } ?? "a call"
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
    func duration(_ nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
    }

    func count(_ number: Int64, _ noun: String) -> String { number == 1 ? "1 \(noun)" : "\(number) \(noun)s" }

    private func products(_ record: HistoryRecord) -> String {
        record.kind == .productsTold
            ? "\(count(Int64(record.code), "product")) found"
            : "the products request failed: \(failure(Int(record.code)))"
    }

    func transaction(_ record: HistoryRecord) -> String {
        let product = name(record.productIndex)
        if record.other != 0 { return "transaction \(record.other) (\(product))" }
        return record.payment != 0 ? "payment \(record.payment) (\(product))" : product
    }

    func state(_ record: HistoryRecord) -> String {
        TransactionState(rawValue: Int(record.code)).map { "\($0)" } ?? "in state \(record.code)"
    }

    private func promotion(_ record: HistoryRecord) -> String {
        switch PromotionAnswer(rawValue: Int(record.code)) {
        case .added: return "yes"
        case .notNow: return "not now"
        case .unheard, nil: return "no observer implements the question"
        }
    }

    func answer(_ record: HistoryRecord) -> String {
        switch AnswerCode(rawValue: Int(record.code)) {
        case .fetched:
            return "products shown: \(record.other)"
                + (record.payment == 0 ? "" : ", of which the store does not sell \(record.payment)")
        case .nothingToRestore: return "nothing to restore"
        case .restored: return "restored \(record.other)"
        case .some(let answer): return "\(answer)"
        case nil: return "nothing known"
        }
    }

    func failure(_ code: Int) -> String {
        StoreFailure(historyCode: code).map { words(for: $0) } ?? "error \(code)"
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
