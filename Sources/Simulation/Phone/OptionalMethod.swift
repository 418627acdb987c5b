// The optional methods of StoreKit's protocols.
// Values; any thread.

/// An optional method of StoreKit's protocols. On Linux it is a requirement with a default: StoreKit calls what the class has
/// that declares the conformance, or the default.
package enum OptionalMethod: UInt8, CaseIterable, Sendable {
    case removedTransactions
    case restoreFailed
    case restoreFinished
    case shouldAddStorePayment
    case storefrontChanged
    case entitlementsRevoked
    case shouldContinue
    case shouldShowPriceConsent
    case requestFinished
    case requestFailed

    /// As it is written in code.
    package var name: String {
        switch self {
        case .removedTransactions: "paymentQueue(_:removedTransactions:)"
        case .restoreFailed: "paymentQueue(_:restoreCompletedTransactionsFailedWithError:)"
        case .restoreFinished: "paymentQueueRestoreCompletedTransactionsFinished(_:)"
        case .shouldAddStorePayment: "paymentQueue(_:shouldAddStorePayment:for:)"
        case .storefrontChanged: "paymentQueueDidChangeStorefront(_:)"
        case .entitlementsRevoked: "paymentQueue(_:didRevokeEntitlementsForProductIdentifiers:)"
        case .shouldContinue: "paymentQueue(_:shouldContinue:in:)"
        case .shouldShowPriceConsent: "paymentQueueShouldShowPriceConsent(_:)"
        case .requestFinished: "requestDidFinish(_:)"
        case .requestFailed: "request(_:didFailWithError:)"
        }
    }

    /// The protocol that declares it.
    package var protocolName: String {
        switch self {
        case .shouldContinue, .shouldShowPriceConsent: "SKPaymentQueueDelegate"
        case .requestFinished, .requestFailed: "SKRequestDelegate"
        default: "SKPaymentTransactionObserver"
        }
    }
}

package struct OptionalMethods: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package init(_ method: OptionalMethod) { rawValue = 1 << method.rawValue }

    package func contains(_ method: OptionalMethod) -> Bool { contains(Self(method)) }
}
