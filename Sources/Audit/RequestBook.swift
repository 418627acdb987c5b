// Requests of the user against answers of the app and what StoreKit told it meanwhile: reading the history.

import Simulation

struct RequestBook {
    private(set) var requests: [RequestTrack] = []
    /// In the order of their tokens.
    private(set) var payments: [PaymentTrack] = []
    /// The first request of the running process.
    private var firstOfProcess = 0
    /// Of the running process, those without an answer.
    private var unanswered: [Int] = []
    /// Of these and of those that were answered, restores of which StoreKit has not told how they ended.
    private var restoring: [Int] = []
    /// Those that wait for products.
    private var awaiting: [Int] = []
    /// Answered as deferred before anything was paid.
    private var putOff: [Int] = []
    /// Where the attempts of a payment begin and end in the store's books.
    private var firstAttempts = NumberedPlaces()
    private var lastAttempts = NumberedPlaces()
    /// Products that the person tapped in the store and that no payment has taken up.
    private var taps: [ProductIndex] = []
    /// How many questions were asked and answered.
    private var turns = 0
    /// All that is sold has been found in this launch.
    private(set) var hasProducts = false
    private var launchedAt = Instant.start
    /// Products requests of this launch that StoreKit has not answered.
    private var openFetches: [Int32] = []
    /// When StoreKit last told the app, in this launch, of products that are not sold.
    private var toldUnsoldAt: Instant?

    mutating func begin(_ attempts: [PurchaseAttempt]) {
        firstAttempts.removeAll()
        lastAttempts.removeAll()
        for place in attempts.indices {
            let payment = Int32(truncatingIfNeeded: attempts[place].payment.number)
            if lastAttempts[payment] == nil { firstAttempts.set(payment, to: place) }
            lastAttempts.set(payment, to: place)
        }
        forgetProcess()
        requests.removeAll(keepingCapacity: true)
        payments.removeAll(keepingCapacity: true)
        taps.removeAll(keepingCapacity: true)
        firstOfProcess = 0
        turns = 0
        hasProducts = false
        launchedAt = .start
        toldUnsoldAt = nil
        openFetches.removeAll(keepingCapacity: true)
    }

    private mutating func forgetProcess() {
        unanswered.removeAll(keepingCapacity: true)
        restoring.removeAll(keepingCapacity: true)
        awaiting.removeAll(keepingCapacity: true)
        putOff.removeAll(keepingCapacity: true)
    }

    /// Where the attempts of a payment stand in the store's books; others may stand between them.
    func attempts(ofPayment payment: Int32) -> Range<Int> {
        guard let first = firstAttempts[payment], let last = lastAttempts[payment] else { return 0..<0 }
        return first..<(last + 1)
    }

    mutating func processBegan(at instant: Instant) {
        forgetProcess()
        firstOfProcess = requests.count
        hasProducts = false
        launchedAt = instant
        toldUnsoldAt = nil
        openFetches.removeAll(keepingCapacity: true)
    }

    mutating func processEnded(_ end: ProcessEnd) {
        for place in firstOfProcess..<requests.count { requests[place].end = end }
        forgetProcess()
        firstOfProcess = requests.count
    }

    /// Requests of this launch that have no answer.
    var open: some Sequence<RequestTrack> { unanswered.lazy.map { requests[$0] } }

    // MARK: Asked and answered

    mutating func ask(_ question: DeviceEvent.Question, _ record: HistoryRecord) {
        var request = RequestTrack(
            kind: question.kind, number: question.number, process: Int(record.process), product: question.product,
            quantity: question.quantity, askedAt: record.at, askedTurn: nextTurn())
        request.launchedAt = launchedAt
        request.joined = openFetches.first
        request.hasJoined = request.joined != nil
        // StoreKit turns a second restore away: a careful app has whoever asks meanwhile wait for the first.
        request.hasCalledStoreKit = question.kind == .restore && isRestoreRunning
        unanswered.append(requests.count)
        if question.kind == .restore { restoring.append(requests.count) }
        if request.joined != nil { awaiting.append(requests.count) }
        requests.append(request)
    }

    private mutating func nextTurn() -> Int {
        turns += 1
        return turns
    }

    private var isRestoreRunning: Bool {
        open.contains { $0.kind == .restore && $0.hasCalledStoreKit && $0.ending == nil }
    }

    /// - Parameters:
    ///   - receiptAsOf: what the receipt on the device tells of.
    ///   - mayRefuse: whether something speaks against asking the store.
    mutating func answer(_ answer: DeviceEvent.Answer, at instant: Instant, receiptAsOf: Instant?, mayRefuse: Bool) {
        guard let place = requests.lastIndex(where: { $0.number == answer.number }) else { return }
        requests[place].answers += 1
        guard requests[place].answers == 1 else { return }
        unanswered.removeAll { $0 == place }
        requests[place].answer = answer.code
        if place >= firstOfProcess, answer.code == .deferred, requests[place].payment == nil { putOff.append(place) }
        requests[place].answerEnding = requests[place].ending
        requests[place].answerWasFinished = requests[place].isFinished
        requests[place].answeredAt = instant
        requests[place].answeredTurn = nextTurn()
        requests[place].shown = Int(answer.count)
        requests[place].unsold = Int(answer.unsold)
        requests[place].receiptAsOf = receiptAsOf
        requests[place].toldUnsoldAt = toldUnsoldAt
        if requests[place].kind == .purchase, requests[place].payment == nil {
            let request = requests[place]
            requests[place].hadReason =
                mayRefuse || request.ending == .productsFailed || request.awaitsProducts || request.hasJoined
                || request.ending == .products && request.found == 0
        }
    }

    /// Whether an answer says that the store was not asked, or does not say that it was.
    func needsReason(_ answer: DeviceEvent.Answer) -> Bool {
        guard answer.kind == .purchase, answer.code == .failed || answer.code == .refused else { return false }
        return requests.last { $0.number == answer.number }?.payment == nil
    }

    /// The request that a payment was made for, by its number.
    func request(ofPayment payment: Int32) -> Int32? {
        track(ofPayment: payment)?.request.map { requests[$0].number }
    }

    /// Payments of a device are numbered one after the other.
    func track(ofPayment payment: Int32) -> PaymentTrack? { index(ofPayment: payment).map { payments[$0] } }

    private func index(ofPayment payment: Int32) -> Int? {
        guard let first = payments.first else { return nil }
        let guess = Int(payment - first.token)
        if payments.indices.contains(guess), payments[guess].token == payment { return guess }
        return payments.lastIndex { $0.token == payment }
    }

    // MARK: What the app asks of StoreKit

    mutating func storeKitCalled() {
        for place in unanswered { requests[place].hasCalledStoreKit = true }
    }

    mutating func restoreCalled() {
        storeKitCalled()
        for place in unanswered where requests[place].kind == .restore && !requests[place].hasCalledRestore {
            requests[place].hasCalledRestore = true
            beginAnew(place)
        }
    }

    /// StoreKit was asked once more: how that ends is not known.
    private mutating func beginAnew(_ place: Int) {
        requests[place].ending = nil
        if requests[place].kind == .restore, !restoring.contains(place) { restoring.append(place) }
    }

    /// A products request is begun for the latest question, which asked for it just now, or asks once more.
    ///
    /// - Parameter asked: the user's request in whose call it was begun.
    mutating func productsStarted(_ request: Int32, asked: Int32?) {
        storeKitCalled()
        openFetches.append(request)
        guard let place = asked.map({ place(ofRequest: $0) }) ?? guessedPlace() else { return }
        requests[place].productsRequest = request
        requests[place].awaitsProducts = true
        if !awaiting.contains(place) { awaiting.append(place) }
        beginAnew(place)
    }

    private func place(ofRequest number: Int32) -> Int? {
        requests.indices[firstOfProcess...].last { requests[$0].number == number }
    }

    /// The latest question that may want products; that it is a guess is noted where several may.
    private mutating func guessedPlace() -> Int? {
        let candidates = unanswered.filter {
            requests[$0].kind != .restore && requests[$0].payment == nil && !requests[$0].awaitsProducts
                && requests[$0].ending != .products
        }
        if candidates.count > 1 { for place in candidates { requests[place].isProductsRequestGuessed = true } }
        return candidates.last
    }

    /// A payment is made for the request in whose call it was added; else for one that was open. What StoreKit adds by
    /// itself is nobody's.
    mutating func paymentAdded(_ payment: DeviceEvent.PaymentNote, in process: Int32) {
        storeKitCalled()
        let place = payment.isPromoted ? nil : request(for: payment)
        let isExplained =
            payment.isPromoted ? takeTap(payment.product) : place == nil && wasLeftUnpaid(payment.product)
        payments.append(
            PaymentTrack(
                token: payment.payment, request: place, isExplained: isExplained, isPromoted: payment.isPromoted,
                product: payment.product, quantity: payment.quantity, process: process))
        hasProducts = true
        guard let place else { return }
        requests[place].payment = payment.payment
        requests[place].ending = nil
        requests[place].failure = nil
        requests[place].isFinished = false
    }

    /// The person tapped a product in the store: one payment for it is theirs.
    mutating func promotionTapped(_ product: ProductIndex) { taps.append(product) }

    private mutating func takeTap(_ product: ProductIndex?) -> Bool {
        guard let place = taps.firstIndex(where: { $0 == product }) else { return false }
        taps.remove(at: place)
        return true
    }

    /// An interrupted purchase came after all, in a transaction of its own: an app may know it by its user name.
    mutating func completed(_ payment: Int32, at instant: Instant) {
        guard let place = place(ofPayment: payment) else { return }
        if requests[place].answers == 0 { requests[place].isCompleted = true }
        requests[place].endedAt = requests[place].endedAt ?? instant
    }

    private func request(for payment: DeviceEvent.PaymentNote) -> Int? {
        if let asked = payment.asked {
            return requests.indices[firstOfProcess...].last {
                requests[$0].number == asked && requests[$0].kind == .purchase
            }
        }
        // The oldest of its product that has no payment yet; of these, one that asked for another quantity comes last:
        // that is known, while whose products a request brought is a guess. Then one whose payment has failed, and is
        // tried once more; last one that is being paid for already.
        var best: (place: Int, rank: Int)?
        for place in unanswered + putOff
        where requests[place].kind == .purchase && requests[place].product == payment.product
            && (requests[place].answers == 0 || isPutOff(requests[place]))
        {
            var rank = (requests[place].quantity == payment.quantity ? 0 : 2) + (requests[place].awaitsProducts ? 1 : 0)
            if requests[place].answers > 0 { rank += 16 }
            if requests[place].payment != nil { rank += requests[place].ending == .failed ? 4 : 8 }
            if rank < best?.rank ?? .max { best = (place, rank) }
        }
        return best?.place
    }

    /// Whether its user was told to wait for what the app had not begun yet.
    private func isPutOff(_ request: RequestTrack) -> Bool {
        request.answers == 1 && request.answer == .deferred && request.payment == nil
    }

    /// Whether an earlier launch ended before it could pay for what its user wanted.
    private func wasLeftUnpaid(_ product: ProductIndex?) -> Bool {
        requests[..<firstOfProcess].contains { $0.kind == .purchase && $0.answers == 0 && $0.product == product }
    }

    // MARK: What StoreKit tells the app

    mutating func told(_ transaction: DeviceEvent.TransactionNote, at instant: Instant) {
        switch transaction.state {
        case .purchasing: return
        case .restored:
            for place in unanswered where requests[place].kind == .restore {
                requests[place].restoredCount += 1
                if transaction.payment != nil { requests[place].repeatedCount += 1 }
            }
            end(transaction.payment, .restored, at: instant)
        case .purchased: end(transaction.payment, .purchased, at: instant)
        case .failed: end(transaction.payment, .failed, at: instant)
        case .deferred: end(transaction.payment, .deferred, at: instant)
        }
    }

    private func place(ofPayment payment: Int32) -> Int? {
        guard let place = track(ofPayment: payment)?.request, place >= firstOfProcess else { return nil }
        return place
    }

    private mutating func end(_ payment: Int32?, _ ending: RequestTrack.Ending, at instant: Instant) {
        guard let payment else { return }
        if let index = index(ofPayment: payment) { payments[index].ending = ending }
        guard let place = place(ofPayment: payment) else { return }
        // Told again, with nothing new in it.
        if requests[place].ending != ending { requests[place].endedAt = instant }
        requests[place].ending = ending
        if ending == .deferred { requests[place].wasDeferred = true }
    }

    mutating func failureTold(_ payment: Int32?, _ failure: StoreFailure) {
        guard let place = payment.flatMap({ place(ofPayment: $0) }) else { return }
        requests[place].failure = failure
    }

    mutating func finishCalled(_ transaction: DeviceEvent.TransactionNote) {
        guard let place = transaction.payment.flatMap({ place(ofPayment: $0) }) else { return }
        requests[place].isFinished = true
    }

    mutating func productsTold(_ products: DeviceEvent.ProductsNote, sold: Int, at instant: Instant) {
        if products.found >= sold { hasProducts = true }
        if products.unsold > 0 { toldUnsoldAt = instant }
        productsEnded(products.request, .products, found: Int(products.found), at: instant)
    }

    mutating func productsFailed(_ request: Int32, at instant: Instant) {
        productsEnded(request, .productsFailed, found: 0, at: instant)
    }

    private mutating func productsEnded(
        _ request: Int32, _ ending: RequestTrack.Ending, found: Int, at instant: Instant
    ) {
        openFetches.removeAll { $0 == request }
        for place in awaiting {
            if requests[place].joined == request { requests[place].joined = nil }
            guard requests[place].productsRequest == request else { continue }
            requests[place].awaitsProducts = false
            guard requests[place].ending == nil, requests[place].payment == nil else { continue }
            requests[place].ending = ending
            requests[place].endedAt = instant
            requests[place].found = found
        }
        awaiting.removeAll { !requests[$0].awaitsProducts && requests[$0].joined == nil }
    }

    mutating func restoreEnded(_ ending: RequestTrack.Ending, _ failure: StoreFailure? = nil, at instant: Instant) {
        endRestores(ending, failure, at: instant) { _ in true }
    }

    /// What was bought is in the receipt too: an app may restore by that alone.
    mutating func receiptRefreshEnded(
        _ ending: RequestTrack.Ending, _ failure: StoreFailure? = nil, at instant: Instant
    ) {
        endRestores(ending, failure, at: instant) { !$0.hasCalledRestore }
    }

    private mutating func endRestores(
        _ ending: RequestTrack.Ending, _ failure: StoreFailure?, at instant: Instant,
        where isMeant: (RequestTrack) -> Bool
    ) {
        for place in restoring where isMeant(requests[place]) {
            requests[place].ending = ending
            requests[place].endedAt = instant
            if let failure { requests[place].failure = failure }
        }
        restoring.removeAll { requests[$0].ending != nil }
    }
}
