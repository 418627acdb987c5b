// Purchases of the past.
// Values; any thread.

public import Foundation
public import StoreKit

extension Product.PurchaseOption {
    /// What an auto-renewable subscription of the past has done since.
    public enum SubscriptionRenewalBehavior: Equatable, Hashable, Sendable {
        /// It has renewed each time, and still runs.
        case renewUntilNow
        /// It was cancelled at once, and ended with its first period.
        case cancelImmediately
    }

    /// Makes the purchase one of the past, with the renewals since. Only while a test session is open; a date in the future
    /// is now. Periods that have begun take as long as they do in the field, whatever `timeRate` says.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        .purchased(date, renews: renewalBehavior == .renewUntilNow)
    }
}
