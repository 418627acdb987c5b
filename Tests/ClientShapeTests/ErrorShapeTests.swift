// How apps take StoreKit's errors and states apart.

import Foundation
import StoreKit
import Testing

@Suite struct ErrorShapeTests {
    private func fail(_ error: Error) throws { throw error }

    @Test func catchClauseMatchesAnSKErrorCode() {
        var caught = ""
        do {
            try fail(SKError(.paymentCancelled))
        } catch SKError.paymentNotAllowed {
            caught = "not allowed"
        } catch SKError.paymentCancelled {
            caught = "cancelled"
        } catch {
            caught = "other"
        }
        #expect(caught == "cancelled")
    }

    @Test func catchClauseMatchesAnNSErrorAsSKError() {
        var code: SKError.Code?
        do {
            try fail(NSError(domain: SKErrorDomain, code: SKError.paymentInvalid.rawValue))
        } catch let error as SKError {
            code = error.code
        } catch {}
        #expect(code == .paymentInvalid)
    }

    @Test func errorCodeIsAlsoAnNSErrorNumber() {
        let error: Error = SKError(.cloudServiceNetworkConnectionFailed)
        #expect((error as NSError).code == 7 && (error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == SKError.Code.cloudServiceNetworkConnectionFailed.rawValue)
    }

    @Test func networkErrorDoesNotCastToSKError() {
        let error: Error = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        #expect(error as? SKError == nil && (error as? SKError)?.code != .paymentCancelled)
    }

    @Test func localizedDescriptionComesFromTheErrorsUserInfo() {
        let error: Error = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Out of order."])
        #expect(error.localizedDescription == "Out of order.")
    }

    @Test func unknownTransactionStateReachesUnknownDefault() {
        let state = SKPaymentTransactionState(rawValue: 92_159_124)!
        var seen = ""
        switch state {
        case .purchasing, .purchased, .failed, .restored, .deferred: seen = "known"
        @unknown default: seen = "unknown"
        }
        #expect(seen == "unknown" && state != .failed)
    }

    @Test func unknownPeriodUnitReachesUnknownDefault() {
        func days(_ unit: SKProduct.PeriodUnit) -> Int {
            switch unit {
            case .day: return 1
            case .week: return 7
            case .month: return 30
            case .year: return 365
            @unknown default: return 0
            }
        }
        #expect([.day, .week, .month, .year].map(days) == [1, 7, 30, 365])
        #expect(days(SKProduct.PeriodUnit(rawValue: 9)!) == 0)
    }

    // Apple froze this one: the switch is exhaustive without a default.
    @Test func downloadStateSwitchNeedsNoDefault() {
        func isOver(_ state: SKDownloadState) -> Bool {
            switch state {
            case .waiting, .active, .paused: return false
            case .finished, .failed, .cancelled: return true
            }
        }
        #expect([.waiting, .active, .paused, .finished, .failed, .cancelled].filter(isOver).count == 3)
    }

    // Apps add the conformances that StoreKit leaves out.
    @Test func appsCanAddConformancesToStates() {
        #expect("\(SKPaymentTransactionState.restored.debugDescription)" == "restored")
        #expect(FakeProduct().id == "fake.product")
    }
}

extension SKPaymentTransactionState: @retroactive CustomDebugStringConvertible {
    public var debugDescription: String {
        switch self {
        case .restored: return "restored"
        default: return "other"
        }
    }
}

extension SKProduct: Identifiable {
    public var id: String { return productIdentifier }
}
