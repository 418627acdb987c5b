// Servers of the real world, which a scenario lets an app reach under the wall clock.
// Any thread; what waits for them are threads of the system's.

internal import CRuntime
internal import Foundation

package enum RealServers {
    /// Whether they can be asked: libcurl is loaded, once, where the program has not loaded it.
    package static let canBeAsked = stampede_web_load()

    /// Asks the server that the request is addressed to, over the machine's network. `reply` is called on the lane, once.
    static func ask(
        _ request: WebRequest, on lane: Lane, reply: @escaping @Sendable (WebReply) -> Void
    ) {
        requests.addOperation {
            let answer = canBeAsked ? wait(request) : .failure(.offline)
            lane.sendFromOutside { reply(answer) }
        }
    }

    /// As many at a time as browsers keep connections open for a few pages.
    private static let requests: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 24
        return queue
    }()

    /// In milliseconds: as long as `URLSession` waits.
    private static let limit = 60_000

    private static func wait(_ request: WebRequest) -> WebReply {
        var found = request.body.withUnsafeBytes {
            stampede_web_ask(request.method, request.url, request.headers, $0.baseAddress, $0.count, limit)
        }
        defer { stampede_web_answer_free(&found) }
        if found.failure != 0 { return .failure(WebFailure(curl: found.failure)) }
        let headers = found.headers.map { String(cString: $0) } ?? ""
        let body = found.body.map { Data(bytes: $0, count: found.count) } ?? Data()
        return .answer(WebAnswer(status: Int(found.status), headers: passedOn(headers), body: body))
    }

    /// Without what told how the answer was packed on its way.
    private static func passedOn(_ headers: String) -> String {
        let ofTheWay = ["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"]
        return headers.split(whereSeparator: \.isNewline)
            .filter { line in
                let name = line.prefix { $0 != ":" }
                return line.contains(":") && !ofTheWay.contains(name.lowercased())
            }
            .map { $0 + "\r\n" }.joined()
    }
}
