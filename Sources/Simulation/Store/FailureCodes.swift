// What client code reads as the code of an error that it is told.
// Pure; any thread.

extension StoreFailure {
    /// As Swift spells it: `paymentCancelled` of StoreKit's domain, `URLError.timedOut` of the URL loading system's, a number
    /// where Swift has no name for it. `none` where no error is told (R14).
    package var code: String {
        switch self {
        case .store(let code): Self.storeCodes[code.rawValue]
        case .alreadySubscribed, .interrupted, .tooManyRefreshes: Self.storeCodes[StoreErrorCode.unknown.rawValue]
        case .undocumentedCancel: Self.undocumentedCancelText
        case .noError: Self.noCode
        case .network(let code): Self.networkCodes[code] ?? "URLError.\(code)"
        }
    }

    /// Every code that an app is told of a failed purchase, by name.
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
