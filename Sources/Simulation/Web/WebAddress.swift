// Where an app sent a request, as reports show it.
// Values; any thread.

/// The method and the address of a request, without what may be secret.
package struct WebAddress: Sendable, Hashable {
    /// HTTP's, in capitals.
    package let method: String
    /// `https://api.example.com/verify`: without a user's name, a query and a fragment.
    package let url: String
    /// `api.example.com`, with the port if the address has one.
    package let host: String
    /// The receipt validator of the scenario.
    package let isValidator: Bool

    /// - Parameter url: as the app wrote it.
    package init(_ method: String, url: String, isValidator: Bool = false) {
        let address = url.prefix { $0 != "?" && $0 != "#" }
        let scheme = address.firstRange(of: "://").map { address[..<$0.upperBound] } ?? ""
        let rest = address.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let path = rest.dropFirst(authority.count).split(separator: "/", omittingEmptySubsequences: false)
            .map { Self.mayBeSecret($0) ? "…" : String($0) }.joined(separator: "/")
        self.method = method
        self.url = scheme + host + path
        self.host = String(host)
        self.isValidator = isValidator
    }

    package init(_ request: WebRequest) {
        self.init(request.method, url: request.url, isValidator: request.isForValidator)
    }

    private static let secretLengthMin = 20

    /// Whether a part of a path looks drawn by chance rather than written: an identifier of a user, a token, a receipt.
    private static func mayBeSecret(_ part: Substring) -> Bool {
        let runs = part.split { !$0.isLetter && !$0.isNumber && !"-_=+%".contains($0) }
        return runs.contains { run in
            let digits = run.count(where: \.isNumber)
            return run.count >= secretLengthMin && (digits * 10 >= run.count || run.count >= 2 * secretLengthMin)
        }
    }
}
