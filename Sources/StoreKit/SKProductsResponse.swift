// What the App Store answered to a product request.
// Constants, but for what a test sets by key before it shares the object; any thread.

public import Foundation

/// The store's answer to an `SKProductsRequest`.
open class SKProductsResponse: NSObject, @unchecked Sendable {  // Guard: constants.
    // Set where the response is made, and never again.
    private var found: [SKProduct]
    private var invalid: [String]
    private var keyed = KeyedValues()

    /// Nothing found, for subclasses that override the getters.
    public override init() {
        found = []
        invalid = []
        super.init()
    }

    convenience init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        self.init()
        found = products
        invalid = invalidProductIdentifiers
    }

    /// In no promised order (R54).
    open var products: [SKProduct] { keyed["products"] ?? found }
    /// What the store does not know; all of them unknown is still a success (R54).
    open var invalidProductIdentifiers: [String] { keyed["invalidProductIdentifiers"] ?? invalid }

    /// Sets a property of a response that a test has made.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "products": keyed.set(key, to: value, as: [SKProduct].self, of: self)
        case "invalidProductIdentifiers": keyed.set(key, to: value, as: [String].self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}
