// What an app sends to servers on the web, over the same link as everything else.
// Guard: confined to the device's lane, except what says otherwise.

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
        WebExchange(request, from: self) { [self] result in
            appWork -= 1
            process.receiveAnswer {
                process.record(.postAnswered(note, result.outcome))
                completion(result)
            }
        }.begin()
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
