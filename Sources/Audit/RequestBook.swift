// Requests of the user against answers of the app and what StoreKit told it meanwhile: reading the history.

import Simulation

struct RequestBook {
    private(set) var requests: [RequestTrack] = []
    /// In the order of their tokens.
    private(set) var payments: [PaymentTrack] = []
    /// The first request of the running process.
    private var firstOfProcess = 0
    /// Products that the person tapped in the store and that no payment has taken up.
    private var taps: [Int16] = []
    /// How many questions were asked and answered.
    private var turns = 0
    /// All that is sold has been found in this launch.
    private(set) var hasProducts = false
    private var launchedAt = Instant.start
    /// Products requests of this launch that StoreKit has not answered.
    private var openFetches: [Int64] = []
    /// When StoreKit last told the app, in this launch, of products that are not sold.
    private var toldUnsoldAt: Instant?

    mutating func begin() {
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

    mutating func processBegan(at instant: Instant) {
        firstOfProcess = requests.count
        hasProducts = false
        launchedAt = instant
        toldUnsoldAt = nil
        openFetches.removeAll(keepingCapacity: true)
    }

    mutating func processEnded(_ record: HistoryRecord) {
        let end = ProcessEnd(record)
        for place in firstOfProcess..<requests.count { requests[place].end = end }
        firstOfProcess = requests.count
    }

    /// Requests of this launch that have no answer.
    var open: some Sequence<RequestTrack> { requests[firstOfProcess...].lazy.filter { $0.answers == 0 } }

    // MARK: Asked and answered

    mutating func ask(_ kind: RequestKind, _ record: HistoryRecord) {
        var request = RequestTrack(
            kind: kind, number: Int(record.number), process: Int(record.process), product: record.productIndex,
            quantity: record.code, askedAt: record.at, askedTurn: nextTurn())
        request.launchedAt = launchedAt
        request.joined = openFetches.first
        request.hasJoined = request.joined != nil
        // StoreKit turns a second restore away: a careful app has whoever asks meanwhile wait for the first.
        request.hasCalledStoreKit = kind == .restore && isRestoreRunning
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
    mutating func answer(_ record: HistoryRecord, receiptAsOf: Instant?, mayRefuse: Bool) {
        guard let place = requests.lastIndex(where: { $0.number == Int(record.number) }) else { return }
        requests[place].answers += 1
        guard requests[place].answers == 1 else { return }
        requests[place].answer = AnswerCode(rawValue: Int(record.code))
        requests[place].answerEnding = requests[place].ending
        requests[place].answerWasFinished = requests[place].isFinished
        requests[place].answeredAt = record.at
        requests[place].answeredTurn = nextTurn()
        requests[place].shown = Int(record.other)
        requests[place].unsold = Int(record.payment)
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
    func needsReason(_ record: HistoryRecord) -> Bool {
        guard record.kind == .purchaseAnswered else { return false }
        switch AnswerCode(rawValue: Int(record.code)) {
        case .failed, .refused: return requests.last { $0.number == Int(record.number) }?.payment == nil
        default: return false
        }
    }

    /// The request that a payment was made for, by its number.
    func request(ofPayment payment: Int64) -> Int? {
        track(ofPayment: payment)?.request.map { requests[$0].number }
    }

    /// Payments of a device are numbered one after the other.
    func track(ofPayment payment: Int64) -> PaymentTrack? { index(ofPayment: payment).map { payments[$0] } }

    private func index(ofPayment payment: Int64) -> Int? {
        guard let first = payments.first else { return nil }
        let guess = Int(payment - first.token)
        if payments.indices.contains(guess), payments[guess].token == payment { return guess }
        return payments.lastIndex { $0.token == payment }
    }

    // MARK: What the app asks of StoreKit

    mutating func storeKitCalled() {
        for place in firstOfProcess..<requests.count where requests[place].answers == 0 {
            requests[place].hasCalledStoreKit = true
        }
    }

    mutating func restoreCalled() {
        storeKitCalled()
        for place in firstOfProcess..<requests.count
        where requests[place].kind == .restore && requests[place].answers == 0 && !requests[place].hasCalledRestore {
            requests[place].hasCalledRestore = true
            requests[place].ending = nil
        }
    }

    /// A products request is begun for the latest question, which asked for it just now, or asks once more.
    mutating func productsStarted(_ record: HistoryRecord) {
        storeKitCalled()
        openFetches.append(record.number)
        guard let place = record.other > 0 ? place(ofRequest: record.other) : guessedPlace() else { return }
        requests[place].productsRequest = record.number
        requests[place].awaitsProducts = true
        requests[place].ending = nil
    }

    private func place(ofRequest number: Int64) -> Int? {
        requests.indices[firstOfProcess...].last { requests[$0].number == Int(number) }
    }

    /// The latest question that may want products; that it is a guess is noted where several may.
    private mutating func guessedPlace() -> Int? {
        let candidates = requests.indices[firstOfProcess...].filter {
            requests[$0].kind != .restore && requests[$0].answers == 0 && requests[$0].payment == nil
                && !requests[$0].awaitsProducts && requests[$0].ending != .products
        }
        if candidates.count > 1 { for place in candidates { requests[place].isProductsRequestGuessed = true } }
        return candidates.last
    }

    /// A payment is made for the request in whose call it was added; else for one that was open. What StoreKit adds by
    /// itself is nobody's.
    mutating func paymentAdded(_ record: HistoryRecord) {
        storeKitCalled()
        let isPromoted = record.other == HistoryRecord.promotedPayment
        let place = isPromoted ? nil : request(for: record)
        let isTapped = isPromoted && takeTap(record.product)
        payments.append(
            PaymentTrack(
                token: record.number, request: place,
                isExplained: isTapped || place == nil && !isPromoted && wasLeftUnpaid(record.productIndex),
                isPromoted: isPromoted, product: record.product, quantity: record.code, process: record.process))
        hasProducts = true
        guard let place else { return }
        requests[place].payment = record.number
        requests[place].ending = nil
        requests[place].failure = nil
        requests[place].isFinished = false
    }

    /// The person tapped a product in the store: one payment for it is theirs.
    mutating func promotionTapped(_ record: HistoryRecord) { taps.append(record.product) }

    private mutating func takeTap(_ product: Int16) -> Bool {
        guard let place = taps.firstIndex(of: product) else { return false }
        taps.remove(at: place)
        return true
    }

    /// An interrupted purchase came after all, in a transaction of its own: an app may know it by its user name.
    mutating func completed(_ payment: Int64, at instant: Instant) {
        guard let place = place(ofPayment: Int32(truncatingIfNeeded: payment)) else { return }
        if requests[place].answers == 0 { requests[place].isCompleted = true }
        requests[place].endedAt = requests[place].endedAt ?? instant
    }

    private func request(for record: HistoryRecord) -> Int? {
        if record.other > 0 {
            return requests.indices[firstOfProcess...].last {
                requests[$0].number == Int(record.other) && requests[$0].kind == .purchase
            }
        }
        // The oldest of its product that has no payment yet; of these, one that asked for another quantity comes last:
        // that is known, while whose products a request brought is a guess. Then one whose payment has failed, and is
        // tried once more; last one that is being paid for already.
        var best: (place: Int, rank: Int)?
        for place in firstOfProcess..<requests.count
        where requests[place].kind == .purchase && requests[place].product == record.productIndex
            && (requests[place].answers == 0 || isPutOff(requests[place]))
        {
            var rank = (requests[place].quantity == record.code ? 0 : 2) + (requests[place].awaitsProducts ? 1 : 0)
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

    mutating func transactionTold(_ record: HistoryRecord, state: TransactionState) {
        switch state {
        case .purchasing: return
        case .restored:
            for place in firstOfProcess..<requests.count
            where requests[place].kind == .restore && requests[place].answers == 0 {
                requests[place].restoredCount += 1
                if record.payment != 0 { requests[place].repeatedCount += 1 }
            }
            end(record, .restored)
        case .purchased: end(record, .purchased)
        case .failed: end(record, .failed)
        case .deferred: end(record, .deferred)
        }
    }

    private func place(ofPayment payment: Int32) -> Int? {
        guard payment != 0, let place = track(ofPayment: Int64(payment))?.request, place >= firstOfProcess else {
            return nil
        }
        return place
    }

    private mutating func end(_ record: HistoryRecord, _ ending: RequestTrack.Ending) {
        if record.payment != 0, let index = index(ofPayment: Int64(record.payment)) { payments[index].ending = ending }
        guard let place = place(ofPayment: record.payment) else { return }
        // Told again, with nothing new in it.
        if requests[place].ending != ending { requests[place].endedAt = record.at }
        requests[place].ending = ending
        if ending == .deferred { requests[place].wasDeferred = true }
    }

    mutating func failureTold(_ record: HistoryRecord) {
        guard let place = place(ofPayment: record.payment) else { return }
        requests[place].failure = StoreFailure(historyCode: Int(record.code))
    }

    mutating func finishCalled(_ record: HistoryRecord) {
        guard let place = place(ofPayment: record.payment) else { return }
        requests[place].isFinished = true
    }

    mutating func productsEnded(_ record: HistoryRecord, _ ending: RequestTrack.Ending, sold: Int) {
        if ending == .products, record.code >= sold { hasProducts = true }
        openFetches.removeAll { $0 == record.number }
        if ending == .products, record.payment > 0 { toldUnsoldAt = record.at }
        for place in firstOfProcess..<requests.count {
            if requests[place].joined == record.number { requests[place].joined = nil }
            guard requests[place].productsRequest == record.number else { continue }
            requests[place].awaitsProducts = false
            guard requests[place].ending == nil, requests[place].payment == nil else { continue }
            requests[place].ending = ending
            requests[place].endedAt = record.at
            requests[place].found = ending == .products ? Int(record.code) : 0
        }
    }

    mutating func restoreEnded(_ record: HistoryRecord, _ ending: RequestTrack.Ending) {
        endRestores(record, ending) { _ in true }
    }

    /// What was bought is in the receipt too: an app may restore by that alone.
    mutating func receiptRefreshEnded(_ record: HistoryRecord, _ ending: RequestTrack.Ending) {
        endRestores(record, ending) { !$0.hasCalledRestore }
    }

    private mutating func endRestores(
        _ record: HistoryRecord, _ ending: RequestTrack.Ending, where isMeant: (RequestTrack) -> Bool
    ) {
        for place in firstOfProcess..<requests.count
        where requests[place].kind == .restore && requests[place].ending == nil && isMeant(requests[place]) {
            requests[place].ending = ending
            requests[place].endedAt = record.at
            if ending == .restoreFailed { requests[place].failure = StoreFailure(historyCode: Int(record.code)) }
        }
    }
}
