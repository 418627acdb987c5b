// Which part of an account's books each of its devices answers for.
// Pure; any thread.

import Judgement
import Simulation

/// An account's books as far as they concern one device.
struct DeviceShare {
    var statement: AccountStatement
    /// Products of purchases which another device answers for.
    var boughtElsewhere: Set<ProductIndex> = []
    /// Products that the account still owns by purchases which another device answers for.
    var ownedElsewhere: Set<ProductIndex> = []

    /// The only device answers for everything.
    init(_ statement: AccountStatement) { self.statement = statement }

    /// A device answers for transactions that it received. If no device received a transaction, the device that paid
    /// for it answers for it, or the first device.
    ///
    /// - Parameter events: the events of each device, in their order.
    static func of(_ events: [[EventRecord]], _ statement: AccountStatement) -> [DeviceShare] {
        let told = events.map { events in
            Set(
                events.lazy.compactMap { record -> TransactionID? in
                    if case .delivered(let note) = record.event { note.id } else { nil }
                })
        }
        var shares = events.map { _ in DeviceShare(AccountStatement()) }
        for place in shares.indices {
            shares[place].statement.isPaymentDisallowed = statement.isPaymentDisallowed
            shares[place].statement.isOfTwoAccounts = statement.isOfTwoAccounts
            shares[place].statement.attempts = statement.attempts.filter { $0.payment.device == place + 1 }
        }
        for transaction in statement.transactions {
            let isTold = told.contains { $0.contains(transaction.id) }
            for place in shares.indices {
                let isBuyer = (transaction.payment?.device ?? 1) == place + 1
                if isTold ? told[place].contains(transaction.id) : isBuyer {
                    shares[place].statement.transactions.append(transaction)
                } else {
                    shares[place].boughtElsewhere.insert(transaction.product)
                    if transaction.revokedAt == nil { shares[place].ownedElsewhere.insert(transaction.product) }
                }
            }
        }
        for place in shares.indices {
            let known = Set(shares[place].statement.transactions.map(\.id))
            shares[place].statement.charges = statement.charges.filter { known.contains($0.transaction) }
        }
        return shares
    }
}
