// What apps send to servers on the web, and get from them.
// Values; any thread.

package import Foundation

/// Something an app asks a server for.
package struct WebRequest: Sendable, Equatable {
    /// HTTP's, in capitals.
    package let method: String
    package let url: String
    /// Lines, each with the end of a line.
    package let headers: String
    package let body: Data

    package init(_ method: String = "POST", url: String, headers: String = "", body: Data) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether the receipt validator answers it.
    package var isForValidator: Bool { url == ReceiptValidator.url }

    /// S70: whether the body has a JWS in it, which begins with a JSON object in base64url.
    package var holdsSignedData: Bool {
        let texts = String(decoding: body, as: UTF8.self).split { !($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        return texts.contains { text in text.hasPrefix("eyJ") && text.count { $0 == "." } == 2 }
    }
}

package struct WebAnswer: Sendable, Equatable {
    /// HTTP's: 200 is well.
    package let status: Int
    package var contentType = "application/json"
    /// Of a server of the real world: lines, each with the end of a line, instead of the type of content.
    package var headers: String?
    package let body: Data

    static let unavailable = WebAnswer(status: 503, body: Data())
}

/// What a server makes of a request.
enum WebReply: Sendable {
    case answer(WebAnswer)
    /// The device gives up after its request timeout.
    case silence
    /// It learns that there is no way there.
    case failure(WebFailure)
}

/// Why no answer came, by the codes of NSURLErrorDomain.
package enum WebFailure: Int, Error, Sendable, CaseIterable {
    case timedOut = -1001
    case cannotFindHost = -1003
    case connectionLost = -1005
    case offline = -1009

    /// By which libcurl says it, and `URLSession` learns of it: the result of a transfer, and the system's error.
    var curl: (result: Int32, systemError: Int32) {
        switch self {
        case .timedOut: (28, 0)
        case .cannotFindHost: (6, 0)
        case .connectionLost: (56, ECONNRESET)
        // Foundation tells by the system's error that no server listens.
        case .offline: (7, ECONNREFUSED)
        }
    }

    /// What libcurl says of a server of the real world.
    init(curl result: Int32) { self = Self.allCases.first { $0.curl.result == result } ?? .offline }
}
