// One request on its way over a link to its server, and the answer on its way back.
// Guard: the lane it is on; it passes from the device's lane to the server's and back, and is never on both.

/// What a request of any kind has: who asks, what the network does to it, and how long the way back takes.
///
/// One object for all of the way: the closures that carry it then need no memory of their own. A kind of request is a
/// subclass, which knows who answers it and who is waiting. An answer may come from outside the timeline, and later than
/// that of a request that was sent after it: each exchange is by itself.
class Exchange: @unchecked Sendable {
    final let device: Device
    /// The account that was signed in when the request left.
    final let account: Int
    /// Part of the final settling: the server answers at once, and without a fault.
    final let isHealed: Bool
    @exclusivity(unchecked) final private var fault: FaultKind?
    @exclusivity(unchecked) final private var back = Span.zero

    init(from device: Device) {
        self.device = device
        account = device.account
        isHealed = device.link.isHealed
    }

    /// The message under way. Made on request, because most exchanges never need it.
    var message: LinkMessage { preconditionFailure("an exchange of no kind") }
    /// Whether anybody answers such requests.
    var hasServer: Bool { true }

    /// The request has arrived: asks the server, which leads to `sendBack`. On the store's lane.
    func ask() { preconditionFailure("an exchange of no kind") }
    /// The answer has arrived. On the device's lane, like the following methods.
    func deliver() { preconditionFailure("an exchange of no kind") }
    /// No answer comes, or none that the device understands.
    func fail(_ failure: WebFailure) { preconditionFailure("an exchange of no kind") }
    /// It fails as soon as its turn comes, so that asking again and again gets nowhere.
    func failInVain(_ failure: WebFailure, after delay: Span) { preconditionFailure("the store is always there") }

    // MARK: The way

    /// There, from the device's lane.
    final func begin() {
        let link = device.link
        switch link.nextPassage(of: self) {
        case .offline:
            device.schedule { self.fail(.offline) }
        case .lost:
            timeOut()
        case .open(let there, let back, let fault):
            guard hasServer else { return failInVain(.cannotFindHost, after: there + back) }
            device.outstanding += 1
            (self.back, self.fault) = (back, fault)
            link.store.lane.send(after: there, from: .message) { self.ask() }
        }
    }

    /// And back, from the store's.
    final func sendBack() {
        device.lane.send(after: back, from: .message) { self.comeBack() }
    }

    private final func comeBack() {
        device.outstanding -= 1
        switch device.link.reception(of: self, fault: fault) {
        case .arrives: deliver()
        case .fails(let failure?): device.schedule { self.fail(failure) }
        case .fails(nil): timeOut()
        }
        device.checkQuiet()
    }

    /// The device hears nothing, and waits no longer than it does for any answer.
    final func timeOut() {
        device.schedule(after: device.link.conditions.requestTimeout) { self.fail(.timedOut) }
    }
}

/// A question of the payment daemon's to the App Store.
final class StoreExchange: Exchange, @unchecked Sendable {
    private let request: StoreRequest
    private let completion: @Sendable (StoreAnswer) -> Void
    @exclusivity(unchecked) private var answer = StoreAnswer.silence
    @exclusivity(unchecked) private var answeredAt = Instant.start
    @exclusivity(unchecked) private var receipt: Receipt?

    init(_ request: StoreRequest, from device: Device, completion: @escaping @Sendable (StoreAnswer) -> Void) {
        self.request = request
        self.completion = completion
        super.init(from: device)
    }

    override var message: LinkMessage { .store(request) }

    override func ask() {
        device.link.store.handle(request, user: account, healed: isHealed) { self.reply($0) }
    }

    private func reply(_ answer: StoreAnswer) {
        let store = device.link.store
        self.answer = answer
        answeredAt = store.lane.now
        if device.takesReceiptCopies, answer.renewsReceipt { receipt = store.receiptOfNow(user: account) }
        sendBack()
    }

    override func deliver() {
        if answer.isSilence { return timeOut() }
        device.receiptArrived(answer, asOf: answeredAt, copy: receipt)
        complete(answer)
    }

    override func fail(_ failure: WebFailure) { complete(.failed(.network(code: failure.rawValue))) }

    private func complete(_ answer: StoreAnswer) {
        switch answer {
        // A buyer who changes their mind is no failure of anything.
        case .failed(.store(.paymentCancelled)): break
        case .failed, .partlyRestored: device.requestFailures.append(device.lane.now)
        default: break
        }
        completion(answer)
    }
}

extension Link {
    /// Under the virtual clock the receipt that came with an answer is read from the store's books when somebody looks at
    /// it, which is rare; the books of the past do not change.
    func receipt(of account: Int, asOf instant: Instant) -> Receipt? { store.receipt(user: account, asOf: instant) }
}

/// A request of the app's own to a server on the web.
final class WebExchange: Exchange, @unchecked Sendable {
    typealias Completion = (Result<WebAnswer, WebFailure>) -> Void

    private let request: WebRequest
    private var reply = WebReply.silence
    /// Client code: taken on the device's lane, so that it is released there.
    private var completion: Completion?

    init(_ request: WebRequest, from device: Device, completion: @escaping Completion) {
        self.request = request
        self.completion = completion
        super.init(from: device)
    }

    override var message: LinkMessage { .post(WebAddress(request)) }
    override var hasServer: Bool { device.link.store.web.hasServer(for: request) }

    override func ask() {
        device.link.store.web.handle(request, user: account, healed: isHealed) { [self] reply in
            self.reply = reply
            sendBack()
        }
    }

    override func deliver() {
        switch reply {
        case .answer(let answer): complete(.success(answer))
        case .failure(let failure): complete(.failure(failure))
        case .silence: timeOut()
        }
    }

    override func fail(_ failure: WebFailure) { complete(.failure(failure)) }

    override func failInVain(_ failure: WebFailure, after delay: Span) {
        device.app?.remarkMissingServer(
            String(request.url.prefix { $0 != "?" }), isSentSignedData: request.holdsSignedData)
        device.failsInVain(after: delay) { self.fail(failure) }
    }

    private func complete(_ result: Result<WebAnswer, WebFailure>) {
        let completion = completion.take()
        completion?(result)
    }
}
