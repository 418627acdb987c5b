// Asking for a review.
// Any thread.

public import Foundation

/// Asks the person for a review on Apple's systems. Here it does nothing.
open class SKStoreReviewController: NSObject {
    /// Does nothing.
    open class func requestReview() {}
}
