// What is said to the receipt validator, and by it.
// Values; any thread.

package import Foundation

/// The body of a request to the receipt validator.
package struct ValidatorRequest: Codable, Sendable {
    /// The app's bundle identifier.
    package var id: String
    package var type = Self.application
    package var device: Phone
    package var transaction: Transaction
    package var additionalData: AdditionalData

    package struct Phone: Codable, Sendable {
        package var model = "iPhone"
        package var systemName = "iOS"
    }

    package struct Transaction: Codable, Sendable {
        package var type = ValidatorRequest.appStore
        /// The receipt, in base64.
        package var appStoreReceipt: String?
        /// Instead of a receipt: the identifier of one transaction.
        package var transactionId: String?

        package init(receipt: Data) { appStoreReceipt = receipt.base64EncodedString() }
    }

    package struct AdditionalData: Codable, Sendable {
        package var applicationUsername: String?
    }

    static let application = "application"
    static let appStore = "ios-appstore"

    package init(bundleIdentifier: String, receipt: Data, applicationUsername: String?) {
        id = bundleIdentifier
        device = Phone()
        transaction = Transaction(receipt: receipt)
        additionalData = AdditionalData(applicationUsername: applicationUsername)
    }
}

/// The body of the validator's answer.
package struct ValidatorAnswer: Codable, Sendable, Equatable {
    package var data: Contents

    package struct Contents: Codable, Sendable, Equatable {
        /// One for each purchase, oldest first.
        package var collection: [Purchase]
        /// Products whose introductory offer this account has had.
        package var ineligibleForIntroductoryPrice: [String]

        private enum CodingKeys: String, CodingKey {
            case collection
            case ineligibleForIntroductoryPrice = "ineligible_for_intro_price"
        }
    }

    package struct Purchase: Codable, Sendable, Equatable {
        /// The product's identifier.
        package var id: String
        /// Milliseconds since 1970, as all dates here.
        package var purchaseDate: Int64
        package var quantity: Int
        /// Only of auto-renewable subscriptions.
        package var expiryDate: Int64?
        /// Whether it entitles to nothing any more: run out, upgraded or given back.
        package var isExpired: Bool
    }
}

/// What the receipt validator told the app's own server, through its webhook: a purchase that it had not told of before.
package struct ValidatorNotification: Sendable, Equatable {
    package let at: Instant
    package let transaction: TransactionID
    package let product: ProductIndex
    package let quantity: Int
    package let applicationUsername: String?

    package init(
        at instant: Instant, transaction: TransactionID, product: ProductIndex, quantity: Int,
        applicationUsername: String?
    ) {
        (at, self.transaction, self.product) = (instant, transaction, product)
        (self.quantity, self.applicationUsername) = (quantity, applicationUsername)
    }
}

extension Date {
    /// Milliseconds since 1970, rounded down.
    package var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded(.down)) }
}
