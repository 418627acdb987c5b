// Servers on the web, as a scenario describes them.
// Values; any thread.

internal import Foundation

/// How well a server on the web answers.
package struct ServerConditions: Sendable, Equatable {
    /// From a request's arrival to its answer; the network's latency comes on top.
    package var latency: Distribution = .constant(0)
    package var outages: [StoreOutage] = []
    /// Share of the requests that are answered with an error.
    package var errors: Share = .none

    package init() {}
}

/// A server of which it is known beforehand what it answers to requests of one kind.
package struct ServerStub: Sendable, Equatable {
    /// The address; with a star at its end, all that begin as it does.
    package var url = ""
    /// HTTP's, in capitals; nil: any.
    package var method: String?
    /// HTTP's: 200 is well.
    package var status = 200
    package var contentType = "application/json"
    package var body = ""
    package var conditions = ServerConditions()
    /// Under the wall clock the server itself is asked, and what it says is the answer.
    package var isReal = false

    package init() {}

    /// Whether it answers such a request. What follows a question mark is looked at only if it is written.
    func answers(_ request: WebRequest) -> Bool {
        if let method, method != request.method { return false }
        if url.hasSuffix("*") { return request.url.hasPrefix(url.dropLast()) }
        return request.url == url || request.url.hasPrefix(url + "?")
    }

    /// What it answers when nothing fails.
    var answer: WebAnswer { WebAnswer(status: status, contentType: contentType, body: Data(body.utf8)) }
}
