// What the process that sends metrics says of it at its end.
// Values; any thread.

import Foundation

/// It speaks of the last body alone: each tells all since the beginning.
struct RelayOutcome: Codable, Sendable, Equatable {
    /// How many bodies the collector took.
    var accepted = 0
    /// Why the last was not taken; nil: it was.
    var failure: Failure?
    /// Values of the last that the collector left out.
    var rejected = 0
    /// What it says of that.
    var message: String?

    enum Failure: Codable, Sendable, Equatable {
        /// An answer that is no success.
        case status(Int)
        /// No answer, by libcurl's number.
        case transfer(Int)
        case noLibrary

        /// There is no such host, or nobody listens there.
        var isOfNobody: Bool { self == .transfer(6) || self == .transfer(7) }
    }
}

/// What did not come of sending, in words.
struct RelayProblem: Equatable {
    let text: String
    let hint: String

    /// Nil where all was taken.
    init?(_ outcome: RelayOutcome, _ endpoint: OTLPEndpoint) {
        let url = endpoint.shownURL
        switch outcome.failure {
        case nil:
            guard outcome.rejected > 0 else { return nil }
            let message = outcome.message.map { ": \($0)" } ?? ""
            text = "the collector at \(url) rejected \(outcome.rejected) of the values\(message)"
            hint = "see the collector's log"
        case .status(let status):
            text = "the collector at \(url) refused the metrics with status \(status)"
            hint =
                switch status {
                case 401, 403: "put its credentials into OTEL_EXPORTER_OTLP_HEADERS"
                case 404, 405: "the collector's OTLP receiver for HTTP has another path or port"
                default: "see the collector's log"
                }
        case .transfer(let number):
            text = "the metrics did not reach the collector at \(url): \(Self.words(number))"
            hint = "check that the collector runs there and listens for OTLP over HTTP"
        case .noLibrary:
            text = "the metrics were not sent: libcurl.so.4 cannot be loaded"
            hint = "install it (Debian: libcurl4)"
        }
    }

    /// The process ended without a word, or did not end in time.
    static func silent(_ endpoint: OTLPEndpoint) -> RelayProblem {
        RelayProblem(
            text:
                "it is unknown whether the collector at \(endpoint.shownURL) has the metrics: the sender did not report",
            hint: "a program of your own has to call Stampede.main with any arguments")
    }

    private init(text: String, hint: String) { (self.text, self.hint) = (text, hint) }

    private static func words(_ number: Int) -> String {
        switch number {
        case 6: "there is no such host"
        case 7: "no process listens there"
        case 28: "no answer in time"
        case 35, 51, 58, 59, 60, 77, 80, 83: "its certificate was not accepted (libcurl's error \(number))"
        case 52, 56: "the connection was closed early"
        default: "libcurl's error \(number)"
        }
    }
}
