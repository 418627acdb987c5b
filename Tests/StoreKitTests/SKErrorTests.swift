// SKError as client code uses it: casts, catches, patterns, codes.

import Foundation
import StoreKit
import Testing

@Suite struct SKErrorTests {
    private let plain = NSError(domain: SKErrorDomain, code: 2, userInfo: ["key": "value"])

    /// Hides the static type, so that the compiler does not know the answer of a cast.
    private func hidden(_ value: Any) -> Any { value }

    @Test func nsErrorOfTheSKDomainCastsToSKError() throws {
        let error: any Error = plain
        let converted = try #require(error as? SKError)
        #expect(converted.code == .paymentCancelled)
        #expect(converted.errorUserInfo["key"] as? String == "value")
        #expect(converted._nsError === plain)
    }

    @Test func nsErrorOfAnotherDomainDoesNotCastToSKError() {
        let error: any Error = NSError(domain: NSURLErrorDomain, code: -1009)
        #expect(error as? SKError == nil)
        #expect(hidden(NSError(domain: "Other", code: 2)) as? SKError == nil)
    }

    @Test func skErrorCastsToNSError() throws {
        let error: any Error = SKError(_nsError: plain)
        #expect((error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == 2)
        let converted = try #require(hidden(error) as? NSError)
        #expect(converted.domain == SKErrorDomain && converted.code == 2)
        #expect(converted.userInfo["key"] as? String == "value")
    }

    @Test(arguments: [false, true])
    func catchClauseMatchesTheErrorsCode(_ isBridged: Bool) {
        func fail() throws {
            if isBridged { throw plain }
            throw SKError(.paymentCancelled)
        }
        do {
            try fail()
            Issue.record("nothing was thrown")
        } catch SKError.paymentInvalid {
            Issue.record("caught by another code")
        } catch SKError.paymentCancelled {
        } catch {
            Issue.record("caught by no code")
        }
    }

    @Test func switchOverAnErrorMatchesItsCode() {
        let error: any Error = SKError(.paymentNotAllowed)
        switch error {
        case SKError.paymentCancelled: Issue.record("another code matched")
        case SKError.paymentNotAllowed: break
        default: Issue.record("no code matched")
        }
    }

    @Test func switchOverACodeMatches() {
        switch SKError(.clientInvalid).code {
        case .unknown, .paymentCancelled: Issue.record("another code matched")
        case .clientInvalid: break
        default: Issue.record("no code matched")
        }
    }

    // The inherited hash asks NSError for its own, and that never returns on Linux.
    @Test func hashingAnSKErrorReturns() {
        let errors: Set<SKError> = [
            SKError(.unknown), SKError(.paymentCancelled), SKError(.paymentCancelled, userInfo: ["a": 1]),
        ]
        #expect(errors.count == 2)
        #expect(SKError(.unknown).hashValue == SKError(.unknown).hashValue)
    }

    @Test func skErrorsAreEqualByDomainAndCode() {
        #expect(SKError(.unknown) == SKError(.unknown))
        #expect(SKError(.unknown) != SKError(.clientInvalid))
        #expect(SKError(_nsError: NSError(domain: "Other", code: 0)) != SKError(.unknown))
    }

    // R16: 907 has been seen.
    @Test func undefinedSKErrorCodeKeepsItsRawValue() throws {
        let error: any Error = NSError(domain: SKErrorDomain, code: 907)
        let converted = try #require(error as? SKError)
        #expect(converted.code.rawValue == 907)
        switch converted.code {
        case .unknown, .paymentCancelled: Issue.record("a known code matched")
        default: break
        }
    }

    // Client libraries wrap errors of any domain.
    @Test func skErrorWrapsAnErrorOfAnyDomain() {
        let error = SKError(_nsError: NSError(domain: NSURLErrorDomain, code: -1009))
        #expect(error.code.rawValue == -1009)
        #expect((error as NSError).domain == NSURLErrorDomain)
    }

    @Test(
        arguments: [
            (SKError.unknown, 0), (SKError.clientInvalid, 1), (SKError.paymentCancelled, 2),
            (SKError.paymentInvalid, 3),
            (SKError.paymentNotAllowed, 4), (SKError.storeProductNotAvailable, 5),
            (SKError.cloudServicePermissionDenied, 6), (SKError.cloudServiceNetworkConnectionFailed, 7),
            (SKError.cloudServiceRevoked, 8), (SKError.privacyAcknowledgementRequired, 9),
            (SKError.unauthorizedRequestData, 10), (SKError.invalidOfferIdentifier, 11), (SKError.invalidSignature, 12),
            (SKError.missingOfferParams, 13), (SKError.invalidOfferPrice, 14), (SKError.overlayCancelled, 15),
            (SKError.overlayInvalidConfiguration, 16), (SKError.overlayTimeout, 17), (SKError.ineligibleForOffer, 18),
            (SKError.unsupportedPlatform, 19), (SKError.overlayPresentedInBackgroundScene, 20),
            (SKError.paymentMethodBindingConfigurationRequired, 21),
        ] as [(SKError.Code, Int)])
    func skErrorCodesHaveApplesRawValues(_ code: SKError.Code, _ number: Int) {
        #expect(code.rawValue == number)
        #expect(SKError(code).code == code)
        #expect(SKError(code).errorCode == number)
    }

    @Test func skErrorDomainIsApples() {
        #expect(SKErrorDomain == "SKErrorDomain")
        #expect(SKError.errorDomain == SKErrorDomain)
    }
}
