// Makes a test case an object that StoreKit may call: on Apple's systems it is an `NSObject`.
// Any thread; nothing is kept.

public import Foundation
public import XCTest

/// Lets a test case be its own fake: `final class ShopTests: XCTestCase, SKPaymentTransactionObserver`.
///
/// One file of the test target imports StoreKitTest; the target's other files need not.
extension XCTestCase: @retroactive NSObjectProtocol {
    /// Whether `object` is this very test case.
    public func isEqual(_ object: Any?) -> Bool { object as AnyObject? === self }
    public var hash: Int { ObjectIdentifier(self).hashValue }
    public func `self`() -> Self { self }
    public func isProxy() -> Bool { false }
    /// The name of the class and of the test.
    public var description: String { name }
    public var debugDescription: String { name }
}
