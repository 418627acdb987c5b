// StoreKit 2's state in one app process: calls that wait for an answer, and readers of sequences.
// Guard: confined to the device's lane, except what says otherwise.

import Foundation
import Simulation

/// One app process's side of StoreKit 2. It ends with the process.
final class StoreKit2Receiver: Receiver, @unchecked Sendable {
    let process: AppProcess
    private var calls: [Call] = []
    var nextCall = 1
    var updates = FeedList<PurchaseFact, VerificationResult<Transaction>>()
    var statuses = FeedList<String, String>()
    var storefronts = FeedList<StorefrontValue, Storefront>()
    var intents = FeedList<ProductIndex, PurchaseIntent>()
    var messages = FeedList<SystemMessage, Message>()
    /// Purchases that the app has received and not finished, in this launch.
    var received: Set<TransactionID> = []
    /// Those that it has finished since (S43).
    var finished: Set<TransactionID> = []
    /// Those that came only unverified: the first verified copy is news.
    var unverified: Set<TransactionID> = []
    /// Iterators of `Transaction.updates` that wait for what is unfinished (S4).
    var replays: [Replay] = []
    /// S21: what was bought and finished too lately for `Transaction.unfinished`.
    var latestBought: [(fact: PurchaseFact, at: Instant)] = []
    var latestFinished: [(fact: PurchaseFact, at: Instant)] = []
    /// As the app has last read them in this launch (S73).
    private var entitlementsAreVerified: Bool?
    private var entitlementsAsOf: Instant?
    /// What this launch has used, which is remarked once.
    private var used: Set<StoreKit2Use> = []
    /// Products of intents that the app has received and not bought (S84).
    var intended: [ProductIndex] = []

    /// One of them.
    struct Replay {
        let number: Int
        weak var feed: Feed<PurchaseFact, VerificationResult<Transaction>>?
        /// What has come for it meanwhile.
        var known: Set<TransactionID> = []
    }

    /// A task that waits for the daemon's answer.
    struct Call {
        let number: Int
        var product: ProductIndex?
        /// As the device's events number a request for products.
        var request: Int32 = 0
        /// S61.
        var continuesIn: Product.PurchaseOption.ContinuationRule?
        let continuation: UnsafeContinuation<StoreKit2Event?, Never>
        var isSynchronisation = false
        /// Who asked for the same meanwhile.
        var joined: [UnsafeContinuation<StoreKit2Event?, Never>] = []
    }

    /// What resumes tasks of a process that has ended: kept until they are brought to their ends.
    private var lateAnswers: [() -> Void] = []
    /// How many calls were answered since they are: such a task might call for ever. Nil before.
    private var lastAnswers: Int?

    private init(process: AppProcess) { self.process = process }

    /// The receiver of the process that the caller runs in. Any thread.
    ///
    /// - Parameter call: the name of the caller, for a report that the caller belongs to no device.
    static func current(for call: StaticString) -> StoreKit2Receiver {
        let process = CurrentProcess.found(for: call)
        let receiver = process.receiver(of: .storeKit2) { StoreKit2Receiver(process: process) }
        guard let receiver = receiver as? StoreKit2Receiver else {
            preconditionFailure("another receiver took StoreKit 2's place")
        }
        return receiver
    }

    var device: Device { process.device }
    /// What is sold now. Any thread.
    var catalog: Catalog { device.edition.catalog }

    /// Runs `body` on the device's lane: at once, or in its turn. For a process that has ended it runs `ended` instead, when its
    /// tasks are brought to their ends. Any thread.
    func onLane(_ body: @escaping (StoreKit2Receiver) -> Void, ended: (() -> Void)? = nil) {
        guard process.isAlive else { return ended.map(answerLate) ?? () }
        if device.lane.isCurrent { return body(self) }
        // The caller waits for it, or gives away what it holds.
        let transfer = UnsafeTransfer(body)
        device.performInOrder { transfer.value(self) }
    }

    /// Resumes a task of client code, as this process.
    func resume<Value>(_ continuation: UnsafeContinuation<Value, Never>, with value: sending Value) {
        let transfer = UnsafeTransfer(value)
        guard process.isAlive else { return answerLate { continuation.resume(returning: transfer.value) } }
        process.enter(.resumption) { continuation.resume(returning: transfer.value) }
    }

    private func answerLate(_ answer: @escaping () -> Void) {
        guard process.endsTasks else { return }
        guard let count = lastAnswers else { return lateAnswers.append(answer) }
        guard count < Self.lastAnswersMax else { return }
        lastAnswers = count + 1
        answer()
    }

    /// Reads what the lane guards. Any task.
    nonisolated(nonsending) func read<Value: Sendable>(
        _ body: @escaping (StoreKit2Receiver) -> Value
    ) async -> Value {
        if device.lane.isCurrent { return body(self) }
        return await withUnsafeContinuation { continuation in
            onLane { $0.resume(continuation, with: body($0)) }
        }
    }

    /// Asks the daemon and waits. Never returns for a process that has ended, or with nil while its tasks are brought to their ends.
    ///
    /// - Parameters:
    ///   - isJoined: whether a call that is under way answers this one too.
    ///   - prepare: records the call, on the lane, and makes the request of it.
    nonisolated(nonsending) func ask(
        joining isJoined: @escaping (Call) -> Bool = { _ in false },
        _ prepare: @escaping (StoreKit2Receiver, inout CallFacts) -> StoreKit2Request
    ) async -> StoreKit2Event? {
        await withUnsafeContinuation { continuation in
            onLane { receiver in
                guard receiver.process.passes(.storeKitCall) else { return receiver.resume(continuation, with: nil) }
                var facts = CallFacts(number: receiver.nextCall)
                receiver.nextCall += 1
                let request = prepare(receiver, &facts)
                if let place = receiver.calls.firstIndex(where: isJoined) {
                    return receiver.calls[place].joined.append(continuation)
                }
                receiver.calls.append(
                    Call(
                        number: facts.number, product: facts.product, request: facts.request,
                        continuesIn: facts.continuesIn, continuation: continuation,
                        isSynchronisation: facts.isSynchronisation))
                receiver.process.request(.storeKit2(request))
            } ended: {
                continuation.resume(returning: nil)
            }
        }
    }

    /// What a call says of itself.
    struct CallFacts {
        let number: Int
        var product: ProductIndex?
        var request: Int32 = 0
        var continuesIn: Product.PurchaseOption.ContinuationRule?
        var isSynchronisation = false
    }

    func takeCall(_ number: Int) -> Call? {
        calls.firstIndex { $0.number == number }.map { calls.remove(at: $0) }
    }

    func call(_ number: Int) -> Call? { calls.first { $0.number == number } }

    func processEnded() {
        updates.forget()
        statuses.forget()
        storefronts.forget()
        intents.forget()
        messages.forget()
    }

    func endWaitingTasks() {
        lastAnswers = 0
        updates.endWaits()
        statuses.endWaits()
        storefronts.endWaits()
        intents.endWaits()
        messages.endWaits()
        let last = calls
        calls = []
        for call in last {
            for continuation in [call.continuation] + call.joined { continuation.resume(returning: nil) }
        }
        let answers = lateAnswers
        lateAnswers = []
        for answer in answers { answer() }
    }

    private static let lastAnswersMax = 100

    // MARK: Calls

    /// S63. Any task.
    nonisolated(nonsending) func products(_ identifiers: [String]) async throws -> [Product] {
        let asked = TaskRequest.number
        let event = await ask { receiver, call in
            call.request = Int32(receiver.process.takeRequestNumber())
            receiver.process.record(.productsStarted(request: call.request, asked: asked))
            return .products(call: call.number, identifiers: identifiers)
        }
        guard let event else { throw CancellationError() }
        switch event {
        case .products(_, let found, _, let edition):
            let catalog = edition.catalog
            let storefront = await read { $0.storefrontNow }
            return found.map { Product(catalog[$0], storefront: storefront, locale: catalog.locale) }
        case .failed(_, let failure): throw SimulatedErrors.now.products ?? failure.storeKit2Error
        default: preconditionFailure("a request for products was answered with \(event)")
        }
    }

    /// S50 to S62. Any task.
    nonisolated(nonsending) func buy(
        _ product: Product, _ options: Set<Product.PurchaseOption>
    ) async throws -> Product.PurchaseResult {
        let order = PurchaseOrder(options)
        let asked = TaskRequest.number
        if let mistake = order.mistake(for: product.product) {
            await read { $0.refuse(order.payment(for: product.product), product.product.index, asked) }
            throw mistake
        }
        let payment = order.payment(for: product.product)
        let continuation = order.continuation
        // What the user has asked the app for is not what they tapped in the store.
        let isFree = TaskRequest.current?.isAnswered ?? true
        let event = await ask { receiver, call in
            let process = receiver.process
            receiver.noteUse(.purchase)
            let token = process.device.takePaymentToken()
            call.product = receiver.catalog.index(of: payment.productIdentifier)
            call.continuesIn = continuation
            let isIntended = isFree && call.product.map(receiver.takeIntent) ?? false
            process.record(
                .paymentAdded(
                    .init(
                        Int32(token.number), product: call.product, quantity: Int32(clamping: payment.quantity),
                        asked: isIntended ? nil : asked, isPromoted: isIntended)))
            return .buy(call: call.number, payment, token: token, asksToContinue: continuation != nil)
        }
        guard let event else { throw CancellationError() }
        switch event {
        case .bought(_, let fact): return .success(await read { $0.handOut(fact) })
        case .pending: return .pending
        case .notBought(_, _, _, let failure):
            if let error = SimulatedErrors.now.purchase { throw error }
            if failure.isCancel { return .userCancelled }
            throw failure.storeKit2Error
        default: preconditionFailure("a purchase was answered with \(event)")
        }
    }

    /// S84: one purchase of this product is what the person tapped in the store.
    private func takeIntent(for product: ProductIndex) -> Bool {
        guard let place = intended.firstIndex(of: product) else { return false }
        intended.remove(at: place)
        return true
    }

    /// S54: the store is not asked.
    private func refuse(_ payment: PaymentValue, _ product: ProductIndex, _ asked: Int32?) {
        guard process.passes(.storeKitCall) else { return }
        let token = Int32(device.takePaymentToken().number)
        process.record(
            .paymentAdded(.init(token, product: product, quantity: Int32(clamping: payment.quantity), asked: asked)))
        let note = DeviceEvent.TransactionNote(nil, handle: -token, payment: token, product: product, state: .failed)
        noteFailure(note, .store(.paymentInvalid))
    }

    /// Nothing was bought, and no queue keeps it.
    func noteFailure(_ note: DeviceEvent.TransactionNote, _ failure: StoreFailure) {
        process.record(.delivered(note))
        process.record(.failureDelivered(payment: note.payment, failure))
        process.record(.removalDelivered(note))
    }

    /// S40 to S43: returns once the device has noted it. Any task.
    nonisolated(nonsending) func finish(_ fact: PurchaseFact) async {
        await read { $0.finishHere(fact) }
        // S42.
        guard device.rules.finishReturns == .confirmed else { return }
        _ = await ask { _, call in .awaitFinish(call: call.number, fact.purchase.id) }
    }

    private func finishHere(_ fact: PurchaseFact) {
        if fact.purchase.id.isForged { return }
        guard process.passes(.finish), finished.insert(fact.purchase.id).inserted else { return }
        received.remove(fact.purchase.id)
        if device.rules.unfinishedLag > .zero {
            latestFinished.removeAll { $0.fact.purchase.id == fact.purchase.id }
            latestFinished.append((fact, device.lane.now))
        }
        let product = fact.purchase.product
        process.lookForGoods(of: product)
        process.record(.finishCalled(fact.note))
        process.stopsWaiting(for: product)
        process.request(.storeKit2(.finish(fact.purchase.id)))
    }

    /// S80 to S83. A call while another one is under way has its end. Any task.
    nonisolated(nonsending) func synchronise() async throws {
        let asked = TaskRequest.number
        let event = await ask(
            joining: { $0.isSynchronisation },
            { receiver, call in
                call.isSynchronisation = true
                receiver.process.awaitAllGoods()
                receiver.process.record(.syncCalled(asked: asked))
                return .synchronise(call: call.number)
            })
        guard let event else { throw CancellationError() }
        if case .failed(_, let failure) = event { throw SimulatedErrors.now.sync ?? failure.storeKit2Error }
    }

    /// Reads or changes the promotions on this device. Any task.
    nonisolated(nonsending) func promotions<Value: Sendable>(
        _ body: @escaping @Sendable (inout StorePromotions) -> Value
    ) async -> Value {
        await read { receiver in
            var promotions = receiver.device.promotions
            let value = body(&promotions)
            if receiver.process.passes(.storeKitCall) { receiver.device.promotions = promotions }
            return value
        }
    }

    /// S74. Any task.
    nonisolated(nonsending) func appTransaction() async throws -> VerificationResult<AppTransaction> {
        if let error = SimulatedErrors.now.appTransaction { throw error }
        guard let event = await ask({ _, call in .appTransaction(call: call.number) }) else {
            throw CancellationError()
        }
        if case .notReached(_, let failure) = event { throw failure.storeKit2Error }
        return await read { receiver in
            let place = receiver.place
            return VerificationResult(AppTransaction(place, at: receiver.device.lane.now), from: place)
        }
    }

    /// S75. Any task.
    nonisolated(nonsending) func storefront() async -> StorefrontValue { await read { $0.storefrontNow } }

    var storefrontNow: StorefrontValue { device.storefront ?? catalog.storefront }

    /// S20 to S31: what the device knows. Any task.
    nonisolated(nonsending) func readRecord() async -> (record: PurchaseRecord, unfinished: [PurchaseFact]) {
        guard let event = await ask({ _, call in .read(call: call.number) }) else { return (.empty, []) }
        guard case .record(_, let record, let unfinished) = event else {
            preconditionFailure("a read was answered with \(event)")
        }
        return (record, unfinished)
    }

    /// A finite sequence. Any task.
    nonisolated(nonsending) func list(
        _ query: Transaction.Transactions.Query
    ) async -> [VerificationResult<Transaction>] {
        if case .unfinished = query, TaskRequest.number == nil { onLane { $0.process.willReadUnfinished() } }
        let (record, unfinished) = await readRecord()
        return await read { receiver in
            receiver.noteUse(query.use)
            let results = receiver.facts(query, record, unfinished).map { receiver.handOver($0) }
            if case .entitlements = query { receiver.noteEntitlements(results, in: record) }
            return results
        }
    }

    func noteUse(_ part: StoreKit2Use) {
        if used.insert(part).inserted { process.remarkUse(of: part) }
    }

    /// The app has read what its user owns: by itself in this launch, from another record, or verified otherwise than before (S73).
    func noteEntitlements(_ results: [VerificationResult<Transaction>], in record: PurchaseRecord) {
        guard process.isAlive else { return }
        let isFirst = TaskRequest.number == nil && process.noteReadOfEntitlements()
        let isOther = record.asOf != entitlementsAsOf && !record.subscriptions.isEmpty
        guard device.mayFailToVerify || isFirst || isOther else { return }
        let areVerified = results.allSatisfy { if case .verified = $0 { true } else { false } }
        guard areVerified != entitlementsAreVerified || isFirst || isOther else { return }
        (entitlementsAreVerified, entitlementsAsOf) = (areVerified, record.asOf)
        process.record(.entitlementsRead(areVerified: areVerified, asOf: record.asOf))
    }

    /// A transaction that the app has not received. Any task.
    nonisolated(nonsending) func transaction(_ fact: PurchaseFact) async -> Transaction {
        await read { Transaction(fact, $0.place, signedAt: $0.device.lane.now) }
    }
}
