// The sequences of transactions: one without an end, and the finite ones.
// Values; each iterator belongs to one task.

import Foundation
import Simulation

extension Transaction {
    /// Purchases that the app did not ask for by `Product.purchase`, as they come: unfinished ones first, once a launch
    /// (S2), then approvals, renewals, purchases elsewhere, refunds (S8, S12). It has no end.
    ///
    /// Start to iterate when the app is launched. Each iterator receives every transaction (S4).
    public static var updates: Transactions { Transactions(.updates) }
    /// Every transaction that the device knows of, oldest first; of consumables only unfinished and refunded ones (S22,
    /// S23).
    public static var all: Transactions { Transactions(.all(nil)) }
    /// What the user is entitled to now (S25).
    public static var currentEntitlements: Transactions { Transactions(.entitlements(nil)) }
    /// What the app has not finished (S20).
    public static var unfinished: Transactions { Transactions(.unfinished) }

    /// The transactions of one product that the device knows of, oldest first (S22).
    public static func all(for productID: String) -> Transactions { Transactions(.all(productID)) }
    /// What entitles the user to one product now (S25, S30).
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions(.entitlements(productID))
    }

    /// What entitles the user to one product now; nil: nothing does (S25).
    @available(iOS, deprecated: 18.4)
    public static func currentEntitlement(for productID: String) async -> VerificationResult<Transaction>? {
        await StoreKit2Receiver.current(for: "Transaction.currentEntitlement(for:)")
            .list(.entitlements(productID)).last
    }

    /// The latest transaction of a product, expired and revoked ones too; nil if there is none (S24).
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        await StoreKit2Receiver.current(for: "Transaction.latest(for:)").list(.all(productID)).last
    }

    /// A sequence of transactions.
    public struct Transactions: AsyncSequence, Sendable {
        public typealias Element = VerificationResult<Transaction>

        /// A finite one, with the product that it is about.
        enum Query: Sendable {
            case all(String?)
            case entitlements(String?)
            case unfinished
            case updates

            var use: StoreKit2Use {
                switch self {
                case .all: .history
                case .entitlements: .entitlements
                case .unfinished: .unfinished
                case .updates: .updates
                }
            }
        }

        private let query: Query

        init(_ query: Query) { self.query = query }

        public func makeAsyncIterator() -> AsyncIterator {
            let receiver = StoreKit2Receiver.current(for: "Transaction.Transactions.makeAsyncIterator()")
            if case .updates = query { return AsyncIterator(source: .feed(receiver.updatesFeed())) }
            return AsyncIterator(source: .question(query, receiver))
        }

        /// One reader of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            enum Source {
                case feed(Feed<PurchaseFact, Element>)
                /// The device is asked when the first element is.
                case question(Query, StoreKit2Receiver)
                case list(ArraySlice<Element>)
            }

            fileprivate var source: Source

            /// The next transaction; nil at the end, or once the task is cancelled.
            public mutating func next() async -> VerificationResult<Transaction>? {
                switch source {
                case .feed(let feed): return await feed.next()
                case .question(let query, let receiver):
                    var list = await receiver.list(query)[...]
                    defer { source = .list(list) }
                    return list.popFirst()
                case .list(var list):
                    defer { source = .list(list) }
                    return list.popFirst()
                }
            }
        }
    }
}
