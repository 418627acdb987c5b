// Sends metrics to a collector, again and again where it could not take them.
// The thread that calls `run`.

import CRuntime
import Foundation

/// In a process of its own: nothing here hurries, and nothing lasts.
struct OTLPSender {
    private let url: String
    private let headers: String
    private let inbox: RelayInbox
    private var outcome = RelayOutcome()

    /// For one answer, in seconds.
    private static let answerTime = 4.0
    /// From the end of the input, in seconds: less than a run waits.
    private static let endingTime = 8.0
    /// The same where nobody listens.
    private static let endingTimeAlone = 2.0
    /// Before the second try, in seconds; each time twice as long, up to the most.
    private static let pause = 0.25
    private static let pauseMax = 4.0

    init(_ endpoint: OTLPEndpoint, _ inbox: RelayInbox) {
        url = endpoint.url
        // Without the last a larger body would wait for leave to come.
        let lines = ["Content-Type: application/json"] + endpoint.headers + ["Expect:"]
        headers = lines.map { $0 + "\n" }.joined()
        self.inbox = inbox
    }

    /// Until the input ends, and what came last is sent or given up.
    mutating func run() -> RelayOutcome {
        // Not linked: most runs need no network, and a program that has Swift's libraries linked in may lack this one.
        guard stampede_web_load() else {
            while inbox.take() != nil {}
            outcome.failure = .noLibrary
            return outcome
        }
        while let body = inbox.take() { deliver(body) }
        return outcome
    }

    private mutating func deliver(_ body: Data) {
        var pause = Self.pause
        while true {
            let left = secondsLeft
            if left <= 0 { return }
            let answer = post(body, seconds: min(Self.answerTime, left))
            if answer.isSuccess {
                outcome.accepted += 1
                (outcome.failure, outcome.rejected, outcome.message) = (nil, answer.rejected, answer.message)
                return
            }
            outcome.failure = answer.failure
            guard answer.isWorthAnotherTry else { return }
            // As it wishes, if it says when to come again.
            let wait = min(max(pause, answer.retryAfter ?? 0), max(0, secondsLeft))
            if inbox.wait(seconds: wait) { return }
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    private var secondsLeft: Double {
        let isAlone = outcome.failure?.isOfNobody ?? false
        let most = isAlone ? Self.endingTimeAlone : Self.endingTime
        return inbox.end.map { most - Date().timeIntervalSince($0) } ?? .infinity
    }

    private func post(_ body: Data, seconds: Double) -> Answer {
        var found = body.withUnsafeBytes {
            stampede_web_ask("POST", url, headers, $0.baseAddress, $0.count, max(1, Int(seconds * 1_000)))
        }
        defer { stampede_web_answer_free(&found) }
        guard found.failure == 0 else { return Answer(transfer: Int(found.failure)) }
        return Answer(
            status: Int(found.status), headers: found.headers.map { String(cString: $0) } ?? "",
            body: found.body.map { Data(bytes: $0, count: found.count) } ?? Data())
    }
}

/// What became of one try.
private struct Answer {
    let failure: RelayOutcome.Failure?
    let isWorthAnotherTry: Bool
    var retryAfter: Double?
    var rejected = 0
    var message: String?

    /// The protocol's.
    private static let statusesToTryAgain = [429, 502, 503, 504]
    /// Of libcurl's, those that no further try puts right: an address that is none, a certificate.
    private static let lastingFailures = [1, 3, 51, 58, 59, 60, 77]

    var isSuccess: Bool { failure == nil }

    init(transfer number: Int) {
        failure = .transfer(number)
        isWorthAnotherTry = !Self.lastingFailures.contains(number)
    }

    init(status: Int, headers: String, body: Data) {
        let isTaken = (200...299).contains(status)
        failure = isTaken ? nil : .status(status)
        isWorthAnotherTry = Self.statusesToTryAgain.contains(status)
        for line in headers.split(whereSeparator: \.isNewline) {
            let pair = line.split(separator: ":", maxSplits: 1)
            if pair.count == 2, pair[0].lowercased() == "retry-after" {
                // A date is not understood, and then our own pause is as good.
                retryAfter = Double(pair[1].trimmingCharacters(in: .whitespaces)).flatMap { $0.isFinite ? $0 : nil }
            }
        }
        guard isTaken, let said = try? JSONDecoder().decode(Taken.self, from: body).partialSuccess else { return }
        (rejected, message) = (said.count, said.errorMessage.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// An ExportMetricsServiceResponse.
    private struct Taken: Decodable {
        struct Part: Decodable {
            /// A text, as 64-bit numbers are; some write a number.
            let rejectedDataPoints: Rejected?
            let errorMessage: String?

            var count: Int { rejectedDataPoints?.count ?? 0 }
        }
        let partialSuccess: Part?
    }

    private struct Rejected: Decodable {
        let count: Int

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            count = try (try? value.decode(Int.self)) ?? Int(value.decode(String.self)) ?? 0
        }
    }
}
