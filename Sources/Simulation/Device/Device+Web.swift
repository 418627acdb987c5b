// What an app sends to servers on the web, over the same link as everything else.
// Guard: confined to the device's lane; requests run on the store's lane and come back.

extension Device {
    /// Posts something to a server. `completion` is called as client code of this process, on the lane, at most once:
    /// not after the process has ended, and not while the app is suspended.
    package func post(
        _ request: WebRequest, from process: AppProcess,
        completion: @escaping (Result<WebAnswer, WebFailure>) -> Void
    ) {
        guard process.passes(.httpRequest) else { return }
        let effect = process.effectCount
        process.record(.posted(effect: effect))
        appWork += 1
        link.post(request) { [self] result in
            appWork -= 1
            process.receiveAnswer {
                process.record(.postAnswered(effect: effect, result.outcome))
                completion(result)
            }
        }
    }
}

extension Result where Success == WebAnswer, Failure == WebFailure {
    fileprivate var outcome: DeviceEvent.PostOutcome {
        switch self {
        case .success(let answer): .status(Int32(truncatingIfNeeded: answer.status))
        case .failure(let failure): .failed(code: Int32(failure.rawValue))
        }
    }
}

extension Link {
    typealias WebCompletion = (Result<WebAnswer, WebFailure>) -> Void

    /// As `send`, to a server on the web. There is one: the receipt validator.
    fileprivate func post(_ request: WebRequest, completion: @escaping WebCompletion) {
        switch nextPassage(.post) {
        case .offline:
            device.schedule { completion(.failure(.offline)) }
        case .lost:
            timeOut(completion)
        case .open(let there, let back, let losesAnswer):
            guard request.url == AppStore.validatorURL else {
                device.schedule(after: there + back) { completion(.failure(.cannotFindHost)) }
                return
            }
            device.outstanding += 1
            let exchange = WebExchange(
                device: device, request: request, isHealed: isHealed, losesAnswer: losesAnswer, back: back,
                completion: completion)
            store.lane.send(after: there, from: .message) { exchange.reachServer() }
        }
    }

    fileprivate func arrive(_ exchange: WebExchange) {
        guard let completion = exchange.takeCompletion() else { return }
        guard receives(.post, losingAnswer: exchange.losesAnswer), case .answer(let answer) = exchange.reply else {
            return timeOut(completion)
        }
        completion(.success(answer))
    }

    private func timeOut(_ completion: @escaping WebCompletion) {
        device.schedule(after: conditions.requestTimeout) { completion(.failure(.timedOut)) }
    }
}

/// One request on its way to a server and back.
/// Guard: the lane it is on; it is handed from the device's to the store's and back, never on both.
private final class WebExchange: @unchecked Sendable {
    let losesAnswer: Bool
    private(set) var reply = ReceiptValidator.Reply.silence
    /// Client code: taken on the device's lane, so that it is released there.
    private var completion: Link.WebCompletion?
    private let device: Device
    private let request: WebRequest
    private let isHealed: Bool
    private let account: Int
    private let back: Span

    init(
        device: Device, request: WebRequest, isHealed: Bool, losesAnswer: Bool, back: Span,
        completion: @escaping Link.WebCompletion
    ) {
        self.device = device
        self.request = request
        self.isHealed = isHealed
        account = device.account
        self.losesAnswer = losesAnswer
        self.back = back
        self.completion = completion
    }

    func takeCompletion() -> Link.WebCompletion? { completion.take() }

    func reachServer() {
        device.store.validator.handle(request, user: account, healed: isHealed) { self.answer($0) }
    }

    private func answer(_ reply: ReceiptValidator.Reply) {
        self.reply = reply
        device.lane.send(after: back, from: .message) { self.reachDevice() }
    }

    private func reachDevice() {
        device.outstanding -= 1
        device.link.arrive(self)
        device.checkQuiet()
    }
}
