// The App Store's answer to a product request.
// Constants, except values that a test sets by key before it shares the object; any thread.

public import Foundation

/// The store's answer to an `SKProductsRequest`.
open class SKProductsResponse: NSObject, @unchecked Sendable {  // Guard: constants.
    // Set where the response is made, and never again.
    private var found: [SKProduct]
    private var invalid: [String]
    private var keyed = KeyedValues()

    /// A response without products, for subclasses that override the getters.
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

    /// The products that the store found, in no defined order (R54).
    open var products: [SKProduct] { keyed["products"] ?? found }
    /// The identifiers that the store does not know. A request is a success even if all are unknown (R54).
    open var invalidProductIdentifiers: [String] { keyed["invalidProductIdentifiers"] ?? invalid }

    /// Sets a property by key, for a response that a test has made.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "products": keyed.set(key, to: value, as: [SKProduct].self, of: self)
        case "invalidProductIdentifiers": keyed.set(key, to: value, as: [String].self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}
