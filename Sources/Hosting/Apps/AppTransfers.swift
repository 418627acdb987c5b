// Requests that client code makes by `URLSession` or libcurl.
// Any thread, except what says otherwise.

internal import CRuntime
internal import Foundation

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
