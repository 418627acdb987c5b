// The codes of errors, as client code reads them.
// Pure; any thread.

extension StoreFailure {
    /// The code as Swift spells it: `paymentCancelled` in StoreKit's domain, `URLError.timedOut` in the URL loading
    /// system's, a number if Swift has no name for it, and `none` if StoreKit delivers no error (R14).
    package var code: String {
        switch self {
        case .store(let code): Self.storeCodes[code.rawValue]
        case .alreadySubscribed, .interrupted, .tooManyRefreshes: Self.storeCodes[StoreErrorCode.unknown.rawValue]
        case .undocumentedCancel: Self.undocumentedCancelText
        case .noError: Self.noCode
        case .network(let code): Self.networkCodes[code] ?? "URLError.\(code)"
        }
    }

    /// The names of all codes that an app can receive for a failed purchase.
    package static let codes = (storeCodes + networkCodes.values + [undocumentedCancelText, noCode]).sorted()

    private static let noCode = "none"
    private static let undocumentedCancelText = String(undocumentedCancelCode)

    /// By raw value, which are counted from zero without gaps.
    private static let storeCodes = StoreErrorCode.allCases.map { "\($0)" }

    private static let networkCodes = [
        -1001: "URLError.timedOut", -1003: "URLError.cannotFindHost", -1004: "URLError.cannotConnectToHost",
        -1005: "URLError.networkConnectionLost", -1009: "URLError.notConnectedToInternet",
        -1012: "URLError.userCancelledAuthentication", -1200: "URLError.secureConnectionFailed",
    ]
}
