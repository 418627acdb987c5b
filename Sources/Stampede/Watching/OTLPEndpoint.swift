// Where metrics are sent: what stands on the command line and in the environment.
// Values; any thread.

import Foundation

struct OTLPEndpoint: Sendable, Equatable {
    let url: String
    /// In the order of the variable, ready for a request.
    let headers: [String]

    /// That of the protocol's own variable for metrics, and the one for everything that is sent.
    private static let variables = ["OTEL_EXPORTER_OTLP_METRICS_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]
    private static let usualPath = "/v1/metrics"

    init(_ text: String, environment: [String: String]) throws(CommandProblem) {
        url = try Self.checked(text)
        headers = try Self.headers(environment)
    }

    /// Without name and password.
    var shownURL: String {
        guard var parts = URLComponents(string: url) else { return url }
        (parts.user, parts.password, parts.query) = (nil, nil, nil)
        return parts.string ?? url
    }

    private static func checked(_ text: String) throws(CommandProblem) -> String {
        let example = "it looks like http://localhost:4318"
        guard let url = URL(string: text, encodingInvalidCharacters: false),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { throw CommandProblem("--otlp \(text) is not a URL", hint: example) }
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw CommandProblem("--otlp \(text): only http and https are supported", hint: example)
        }
        guard let host = parts.host, !host.isEmpty else {
            throw CommandProblem("--otlp \(text) names no host", hint: example)
        }
        if let port = parts.port, !(1...65_535).contains(port) {
            throw CommandProblem("--otlp \(text): there is no port \(port)", hint: "ports go from 1 to 65535")
        }
        if parts.path.isEmpty || parts.path == "/" { parts.path = usualPath }
        parts.fragment = nil
        return parts.string ?? text
    }

    /// `name=value,name=value`, the values percent-encoded.
    private static func headers(_ environment: [String: String]) throws(CommandProblem) -> [String] {
        guard let variable = variables.first(where: { environment[$0]?.isEmpty == false }) else { return [] }
        var headers: [String] = []
        for part in (environment[variable] ?? "").split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, isToken(pair[0]), let value = pair[1].removingPercentEncoding,
                !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                // Not what it says: it may be a secret.
                throw CommandProblem(
                    "\(variable): header \(headers.count + 1) is not written name=value",
                    hint: "it looks like api-key=1a2b3c,tenant=shop, with %20 for a space")
            }
            headers.append("\(pair[0]): \(value)")
        }
        return headers
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0)) }
    }
}
