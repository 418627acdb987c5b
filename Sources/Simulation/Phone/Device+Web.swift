// What an app sends to servers on the web, over the same link as everything else.
// Guard: confined to the device's lane; requests run on the store's lane and come back.

internal import CRuntime
internal import Foundation

extension Device {
    /// Posts something to a server. `completion` is called as client code of this process, on the lane, at most once:
    /// not after the process has ended, and not while the app is suspended.
    package func post(
        _ request: WebRequest, from process: AppProcess,
        completion: @escaping (Result<WebAnswer, WebFailure>) -> Void
    ) {
        guard process.passes(.httpRequest) else { return }
        let effect = process.effectCount
        let note = DeviceEvent.PostNote(
            effect: effect, to: names.addresses.add(WebAddress(request)), isForValidator: request.isForValidator)
        process.record(.posted(note))
        appWork += 1
        link.post(request) { [self] result in
            appWork -= 1
            process.receiveAnswer {
                process.record(.postAnswered(note, result.outcome))
                completion(result)
            }
        }
    }
}

extension AppProcess {
    /// The app makes a request by `URLSession` or libcurl. Any thread of the app's.
    func makes(_ transfer: OpaquePointer) {
        var count = 0
        let bytes = stampede_transfer_body(transfer, &count)
        let request = WebRequest(
            String(cString: stampede_transfer_method(transfer)).uppercased(),
            url: String(cString: stampede_transfer_url(transfer)),
            headers: String(cString: stampede_transfer_headers(transfer)),
            body: bytes.map { Data(bytes: $0, count: count) } ?? Data())
        let held = HeldTransfer(transfer)
        if device.lane.isCurrent { return post(request, held) }
        device.performFromOutside(self) { [self] in post(request, held) }
    }

    private func post(_ request: WebRequest, _ held: HeldTransfer) {
        device.post(request, from: self) { held.ends($0) }
    }
}

/// A transfer of client code's, held for as long as it may be answered.
private final class HeldTransfer: @unchecked Sendable {
    private let transfer: OpaquePointer

    init(_ transfer: OpaquePointer) { self.transfer = transfer }

    deinit { stampede_transfer_release(transfer) }

    /// In code of the app.
    func ends(_ result: Result<WebAnswer, WebFailure>) {
        switch result {
        case .success(let answer):
            // Nothing is kept for the next launch.
            let headers = (answer.headers ?? "Content-Type: \(answer.contentType)\r\n") + "Cache-Control: no-store\r\n"
            answer.body.withUnsafeBytes {
                stampede_transfer_answer(transfer, Int32(answer.status), headers, $0.baseAddress, $0.count)
            }
        case .failure(let failure): stampede_transfer_fail(transfer, failure.curl.result, failure.curl.systemError)
        }
    }
}

extension Result where Success == WebAnswer, Failure == WebFailure {
    fileprivate var outcome: DeviceEvent.PostOutcome {
        switch self {
        case .success(let answer):
            .status(Int32(truncatingIfNeeded: answer.status), bytes: Int32(clamping: answer.body.count))
        case .failure(let failure): .failed(code: Int32(failure.rawValue))
        }
    }
}

extension Link {
    typealias WebCompletion = (Result<WebAnswer, WebFailure>) -> Void

    /// As `send`, to a server on the web: the receipt validator, or one that the scenario describes.
    fileprivate func post(_ request: WebRequest, completion: @escaping WebCompletion) {
        switch nextPassage(.post(WebAddress(request))) {
        case .offline:
            device.schedule { completion(.failure(.offline)) }
        case .lost:
            fail(with: nil, completion)
        case .open(let there, let back, let fault):
            guard store.hasServer(for: request) else {
                ClientRemarks.note(.server, String(request.url.prefix { $0 != "?" }))
                device.failsInVain(after: there + back) { completion(.failure(.cannotFindHost)) }
                return
            }
            device.outstanding += 1
            let exchange = WebExchange(
                device: device, request: request, isHealed: isHealed, fault: fault, back: back, completion: completion)
            store.lane.send(after: there, from: .message) { exchange.reachServer() }
        }
    }

    fileprivate func arrive(_ exchange: WebExchange) {
        guard let completion = exchange.takeCompletion() else { return }
        if case .fails(let failure) = reception(of: .post(WebAddress(exchange.request)), fault: exchange.fault) {
            return fail(with: failure, completion)
        }
        switch exchange.reply {
        case .answer(let answer): completion(.success(answer))
        case .failure(let failure): completion(.failure(failure))
        case .silence: fail(with: nil, completion)
        }
    }

    /// - Parameter failure: what the app hears; nil: nothing, and it waits until its timeout.
    private func fail(with failure: WebFailure?, _ completion: @escaping WebCompletion) {
        device.schedule(after: failure == nil ? conditions.requestTimeout : .zero) {
            completion(.failure(failure ?? .timedOut))
        }
    }
}

/// One request on its way to a server and back.
/// Guard: the lane it is on; it is handed from the device's to the store's and back, never on both.
private final class WebExchange: @unchecked Sendable {
    let fault: FaultKind?
    private(set) var reply = ReceiptValidator.Reply.silence
    /// Client code: taken on the device's lane, so that it is released there.
    private var completion: Link.WebCompletion?
    private let device: Device
    let request: WebRequest
    private let isHealed: Bool
    private let account: Int
    private let back: Span

    init(
        device: Device, request: WebRequest, isHealed: Bool, fault: FaultKind?, back: Span,
        completion: @escaping Link.WebCompletion
    ) {
        self.device = device
        self.request = request
        self.isHealed = isHealed
        account = device.account
        self.fault = fault
        self.back = back
        self.completion = completion
    }

    func takeCompletion() -> Link.WebCompletion? { completion.take() }

    func reachServer() {
        device.store.serve(request, user: account, healed: isHealed) { self.answer($0) }
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
