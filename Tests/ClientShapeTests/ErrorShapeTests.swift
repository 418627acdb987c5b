// How apps take StoreKit's errors and states apart.

import Foundation
import StoreKit
import Testing

@Suite struct ErrorShapeTests {
    private func fail(_ error: Error) throws { throw error }

    @Test func aThrownCodeIsCaught() {
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

    @Test func anErrorIsCaughtByItsType() {
        var code: SKError.Code?
        do {
            try fail(NSError(domain: SKErrorDomain, code: SKError.paymentInvalid.rawValue))
        } catch let error as SKError {
            code = error.code
        } catch {}
        #expect(code == .paymentInvalid)
    }

    @Test func theCodeIsAlsoANumber() {
        let error: Error = SKError(.cloudServiceNetworkConnectionFailed)
        #expect((error as NSError).code == 7 && (error as NSError).domain == SKErrorDomain)
        #expect((error as NSError).code == SKError.Code.cloudServiceNetworkConnectionFailed.rawValue)
    }

    @Test func anErrorOfTheNetworkIsNone() {
        let error: Error = NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        #expect(error as? SKError == nil && (error as? SKError)?.code != .paymentCancelled)
    }

    @Test func aMessageIsReadFromTheError() {
        let error: Error = SKError(.unknown, userInfo: [NSLocalizedDescriptionKey: "Out of order."])
        #expect(error.localizedDescription == "Out of order.")
    }

    @Test func unknownStatesFallThrough() {
        let state = SKPaymentTransactionState(rawValue: 92_159_124)!
        var seen = ""
        switch state {
        case .purchasing, .purchased, .failed, .restored, .deferred: seen = "known"
        @unknown default: seen = "unknown"
        }
        #expect(seen == "unknown" && state != .failed)
    }

    @Test func unknownUnitsFallThrough() {
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
    @Test func downloadStatesAreFrozen() {
        func isOver(_ state: SKDownloadState) -> Bool {
            switch state {
            case .waiting, .active, .paused: return false
            case .finished, .failed, .cancelled: return true
            }
        }
        #expect([.waiting, .active, .paused, .finished, .failed, .cancelled].filter(isOver).count == 3)
    }

    // Apps add the conformances that StoreKit leaves out.
    @Test func statesCanBeMadePrintable() {
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
