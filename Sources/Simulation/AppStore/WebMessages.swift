// What apps send to servers on the web, and get from them.
// Values; any thread.

package import Foundation

/// Something an app posts.
package struct WebRequest: Sendable, Equatable {
    package let url: String
    package let body: Data

    package init(url: String, body: Data) {
        self.url = url
        self.body = body
    }
}

package struct WebAnswer: Sendable, Equatable {
    /// HTTP's: 200 is well.
    package let status: Int
    package let body: Data
}

/// Why no answer came, by the codes of NSURLErrorDomain.
package enum WebFailure: Int, Error, Sendable, CaseIterable {
    case timedOut = -1001
    case cannotFindHost = -1003
    case offline = -1009
}
