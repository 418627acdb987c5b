// What the user asked for, what the app made of it and told its user, and what StoreKit told the app meanwhile.
// A value; part of a story.

import Simulation

package struct RequestStory: Sendable {
    /// In the order in which they were asked.
    package internal(set) var all: [RequestTrack] = []
    /// In the order of their tokens.
    package internal(set) var payments: [PaymentTrack] = []
    package private(set) var answers: [Answer] = []
    package internal(set) var fetches: [Fetch] = []
    package internal(set) var restores: [Restore] = []
    /// Refreshes of the receipt.
    package internal(set) var refreshes: [Restore] = []
    /// The first request of the running process.
    var firstOfProcess = 0
    /// Of the running process, those without an answer.
    var unanswered: [Int] = []
    /// Of these and of those that were answered, restores of which StoreKit has not told how they ended.
    var restoring: [Int] = []
    /// Those that wait for products.
    var awaiting: [Int] = []
    /// Answered as deferred before anything was paid.
    private var putOff: [Int] = []
    /// Where the attempts of a payment begin and end in the store's books.
    private var firstAttempts = NumberedPlaces()
    private var lastAttempts = NumberedPlaces()
    /// Products that the person tapped in the store and that no payment has taken up.
    private var taps: [ProductIndex] = []
    /// All that is sold has been found in this launch.
    var hasProducts = false
    private var launchedAt = Instant.start
    /// Products requests of this launch that StoreKit has not answered.
    var openFetches: [Int32] = []
    /// What StoreKit last told the app, in this launch, of products that are not sold.
    var toldUnsold: ToldUnsold?

    mutating func begin(_ attempts: [PurchaseAttempt]) {
        firstAttempts.removeAll()
        lastAttempts.removeAll()
        for place in attempts.indices {
            let payment = Int32(truncatingIfNeeded: attempts[place].payment.number)
            if lastAttempts[payment] == nil { firstAttempts.set(payment, to: place) }
            lastAttempts.set(payment, to: place)
        }
        forgetProcess()
        all.removeAll(keepingCapacity: true)
        payments.removeAll(keepingCapacity: true)
        taps.removeAll(keepingCapacity: true)
        firstOfProcess = 0
        answers.removeAll(keepingCapacity: true)
        fetches.removeAll(keepingCapacity: true)
        restores.removeAll(keepingCapacity: true)
        refreshes.removeAll(keepingCapacity: true)
        hasProducts = false
        launchedAt = .start
        toldUnsold = nil
        openFetches.removeAll(keepingCapacity: true)
    }

    private mutating func forgetProcess() {
        unanswered.empty()
        restoring.empty()
        awaiting.empty()
        putOff.empty()
    }

    /// Where the attempts of a payment stand in the store's books; others may stand between them.
    package func attempts(ofPayment payment: Int32) -> Range<Int> {
        guard let first = firstAttempts[payment], let last = lastAttempts[payment] else { return 0..<0 }
        return first..<(last + 1)
    }

    mutating func processBegan(_ now: Moment) {
        forgetProcess()
        firstOfProcess = all.count
        hasProducts = false
        launchedAt = now.at
        toldUnsold = nil
        openFetches.removeAll(keepingCapacity: true)
    }

    mutating func processEnded(_ end: ProcessEnd) {
        for place in firstOfProcess..<all.count { all[place].end = end }
        forgetProcess()
        firstOfProcess = all.count
    }

    /// Requests of this launch that have no answer.
    var open: some Sequence<RequestTrack> { unanswered.lazy.map { all[$0] } }

    // MARK: Asked and answered

    mutating func ask(_ question: DeviceEvent.Question, _ now: Moment) {
        var request = RequestTrack(
            kind: question.kind, number: question.number, product: question.product, quantity: question.quantity,
            plannedAt: question.plannedAt, asked: now)
        request.launchedAt = launchedAt
        request.joined = openFetches.first
        request.hasJoined = request.joined != nil
        // StoreKit turns a second restore away: a careful app makes later callers wait for the first.
        request.hasCalledStoreKit = question.kind == .restore && isRestoreRunning
        unanswered.append(all.count)
        if question.kind == .restore { restoring.append(all.count) }
        if request.joined != nil { awaiting.append(all.count) }
        all.append(request)
    }

    private var isRestoreRunning: Bool {
        open.contains { $0.kind == .restore && $0.hasCalledStoreKit && $0.ending == nil }
    }

    /// - Parameters:
    ///   - receiptAsOf: what the receipt on the device tells of.
    ///   - mayRefuse: whether something speaks against asking the store.
    mutating func answer(_ answer: DeviceEvent.Answer, _ now: Moment, receiptAsOf: Instant?, mayRefuse: Bool) {
        answers.append(Answer(moment: now, note: answer))
        guard let place = place(of: answer) else { return }
        all[place].answers += 1
        guard all[place].answers == 1 else { return }
        if answer.code == .fetched || answer.code == .refused { tradeProducts(place) }
        unanswered.removeAll { $0 == place }
        all[place].answer = answer.code
        if place >= firstOfProcess, answer.code == .deferred, all[place].payment == nil { putOff.append(place) }
        all[place].answerEnding = all[place].ending
        all[place].answerWasFinished = all[place].finished != nil
        all[place].answered = now
        all[place].shown = Int(answer.count)
        all[place].unsold = Int(answer.unsold)
        all[place].receiptAsOf = receiptAsOf
        all[place].toldUnsold = toldUnsold
        if all[place].kind == .purchase, all[place].payment == nil {
            let request = all[place]
            all[place].hadReason =
                mayRefuse || request.ending == .productsFailed || request.awaitsProducts || request.hasJoined
                || request.ending == .products && request.found == 0
        }
    }

    private func place(of answer: DeviceEvent.Answer) -> Int? {
        all.lastIndex { $0.number == answer.number }
    }

    /// Whether an answer says that the store was not asked, or does not say that it was.
    func needsReason(_ answer: DeviceEvent.Answer) -> Bool {
        guard answer.kind == .purchase, answer.code == .failed || answer.code == .refused else { return false }
        return place(of: answer).map { all[$0].payment == nil } ?? true
    }

    /// Payments of a device are numbered one after the other.
    package func track(ofPayment payment: Int32) -> PaymentTrack? { index(ofPayment: payment).map { payments[$0] } }

    func index(ofPayment payment: Int32) -> Int? {
        guard let first = payments.first else { return nil }
        let guess = Int(payment - first.token)
        if payments.indices.contains(guess), payments[guess].token == payment { return guess }
        return payments.lastIndex { $0.token == payment }
    }

    /// Whether StoreKit has told nothing yet of how a payment of this device ended.
    func isOpen(_ payment: Int32?) -> Bool {
        guard let index = payment.flatMap({ index(ofPayment: $0) }) else { return false }
        return payments[index].outcomeAt == nil
    }

    /// The request that a payment was made for, unless another was made for it since.
    func request(paidBy payment: Int32?) -> Int? {
        guard let payment, let place = track(ofPayment: payment)?.request, all[place].payment == payment else {
            return nil
        }
        return place
    }

    // MARK: What the app asks of StoreKit

    private mutating func storeKitCalled() {
        for place in unanswered { all[place].hasCalledStoreKit = true }
    }

    /// - Parameter asked: the user's request that it was called for, if that is known.
    mutating func restoreCalled(_ now: Moment, asked: Int32? = nil) {
        restores.append(Restore(called: now, isAsked: !unanswered.isEmpty))
        storeKitCalled()
        for place in unanswered
        where all[place].kind == .restore && (!all[place].hasCalledRestore || all[place].number == asked) {
            all[place].hasCalledRestore = true
            beginAnew(place)
        }
    }

    /// What was bought is in the receipt too: an app may restore by that alone.
    mutating func refreshStarted(_ now: Moment) {
        refreshes.append(Restore(called: now, isAsked: !unanswered.isEmpty))
        storeKitCalled()
    }

    /// StoreKit was asked once more: how that ends is not known.
    private mutating func beginAnew(_ place: Int) {
        all[place].ending = nil
        if all[place].kind == .restore, !restoring.contains(place) { restoring.append(place) }
    }

    /// A products request is begun for the latest question, which asked for it just now, or asks once more.
    ///
    /// - Parameter asked: the user's request in whose call or task it was begun.
    mutating func productsStarted(_ request: Int32, asked: Int32?, _ now: Moment) {
        fetches.append(Fetch(request: request, began: now))
        storeKitCalled()
        openFetches.append(request)
        guard let place = openPlace(ofRequest: asked) ?? guessedPlace() ?? asked.flatMap({ place(ofRequest: $0) })
        else { return }
        all[place].productsRequest = request
        all[place].awaitsProducts = true
        if !awaiting.contains(place) { awaiting.append(place) }
        beginAnew(place)
    }

    private func place(ofRequest number: Int32) -> Int? {
        all.indices[firstOfProcess...].last { all[$0].number == number }
    }

    /// A task may live longer than the request that it was made for, and work for others then.
    private func openPlace(ofRequest number: Int32?) -> Int? {
        number.flatMap { number in unanswered.last { all[$0].number == number } }
    }

    /// The latest question that may want products; that it is a guess is noted where several may.
    private mutating func guessedPlace() -> Int? {
        let candidates = unanswered.filter {
            all[$0].kind != .restore && all[$0].payment == nil && !all[$0].awaitsProducts && all[$0].ending != .products
        }
        if candidates.count > 1 { for place in candidates { all[place].isProductsRequestGuessed = true } }
        return candidates.last
    }

    /// A payment is made for the request in whose call or task it was added, or else for an open request.
    /// A payment that StoreKit adds by itself belongs to no request.
    mutating func paymentAdded(_ payment: DeviceEvent.PaymentNote, _ now: Moment) {
        storeKitCalled()
        let place = payment.isPromoted ? nil : request(for: payment)
        let isExplained =
            payment.isPromoted ? takeTap(payment.product) : place == nil && wasLeftUnpaid(payment.product)
        payments.append(
            PaymentTrack(
                token: payment.payment, added: now, request: place, isExplained: isExplained,
                isPromoted: payment.isPromoted, product: payment.product, quantity: payment.quantity))
        hasProducts = true
        guard let place else { return }
        tradeProducts(place)
        all[place].payment = payment.payment
        all[place].ending = nil
        all[place].failure = nil
        all[place].finished = nil
    }

    /// A payment is made, and products are shown or refused, once products have come. If the request's own have not, it
    /// was guessed to have begun another's products requests, and the other its own.
    private mutating func tradeProducts(_ place: Int) {
        let isWaiting = all[place].awaitsProducts || all[place].ending == .productsFailed
        guard isWaiting, all[place].isProductsRequestGuessed, all[place].payment == nil,
            let other = unanswered.last(where: {
                all[$0].isProductsRequestGuessed && all[$0].payment == nil && all[$0].ending == .products
            })
        else { return }
        let own = all[place]
        all[place].takeProducts(of: all[other])
        all[other].takeProducts(of: own)
        awaiting.removeAll { $0 == place && all[$0].joined == nil }
        if !awaiting.contains(other) { awaiting.append(other) }
    }

    /// The person tapped a product in the store: one payment for it is theirs.
    mutating func promotionTapped(_ product: ProductIndex) { taps.append(product) }

    private mutating func takeTap(_ product: ProductIndex?) -> Bool {
        guard let place = taps.firstIndex(where: { $0 == product }) else { return false }
        taps.remove(at: place)
        return true
    }

    /// Of a request that has a payment already, or an answer, and all the more of later ones.
    private static let paidRank = 8

    private func request(for payment: DeviceEvent.PaymentNote) -> Int? {
        // A task may live longer than the request that it was made for, a purchase or not, and work for others then.
        let asked = payment.asked.flatMap { number in
            all.indices[firstOfProcess...].last { all[$0].number == number && all[$0].kind == .purchase }
        }
        if let asked, all[asked].answers == 0, all[asked].payment == nil, all[asked].product == payment.product {
            return asked
        }
        // The oldest request of the product without a payment. A request for another quantity comes later: the quantity
        // is known, while whose products a products request brought is a guess. Then a request whose payment has failed
        // and is tried again; last a request that is being paid for already.
        var best: (place: Int, rank: Int)?
        for place in unanswered + putOff
        where all[place].kind == .purchase && all[place].product == payment.product
            && (all[place].answers == 0 || isPutOff(all[place]))
        {
            var rank = (all[place].quantity == payment.quantity ? 0 : 4) + productsRank(all[place])
            if all[place].answers > 0 { rank += 4 * Self.paidRank }
            if all[place].payment != nil { rank += all[place].ending == .failed ? Self.paidRank : 2 * Self.paidRank }
            if rank < best?.rank ?? .max { best = (place, rank) }
        }
        if payment.asked != nil, best?.rank ?? .max >= Self.paidRank { return asked }
        return best?.place
    }

    /// Products that came are paid first. Where a products request failed, the app may have had them from another.
    private func productsRank(_ request: RequestTrack) -> Int {
        request.awaitsProducts ? 2 : request.ending == .productsFailed ? 1 : 0
    }

    /// Whether the app asked its user to wait for a purchase that it had not begun yet.
    private func isPutOff(_ request: RequestTrack) -> Bool {
        request.answers == 1 && request.answer == .deferred && request.payment == nil
    }

    /// Whether an earlier launch ended before it could pay for what its user wanted.
    private func wasLeftUnpaid(_ product: ProductIndex?) -> Bool {
        all[..<firstOfProcess].contains { $0.kind == .purchase && $0.answers == 0 && $0.product == product }
    }
}
