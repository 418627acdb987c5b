// What a receipt of now lists is the same whether all of an account's past is looked at or only what may be listed still.

import Testing

@testable import Simulation

@Suite struct ListedTransactionsTests {
    private static func transaction(_ number: Int64) -> StoreTransaction {
        StoreTransaction(
            id: TransactionID(number: number), original: nil, originalDate: nil, product: 0, quantity: 1, at: .start,
            origin: .payment, payment: nil, applicationUsername: nil, isCharged: true)
    }

    private static func isListed(_ transaction: StoreTransaction) -> Bool { transaction.finishedAt == nil }

    @Test(arguments: 0..<20)
    func listedPlacesMatchTheFilteredTransactions(seed: UInt64) {
        var chance = RandomStream(seed: seed, user: 0, purpose: .store)
        var transactions: [StoreTransaction] = []
        var listed = ListedTransactions()
        for number in 1...200 {
            switch chance.below(10) {
            case 0...5: transactions.append(Self.transaction(Int64(number)))
            case 6...8:
                if let place = transactions.indices.randomElement(using: &chance) {
                    transactions[place].finishedAt = .start
                }
            default:
                // As a test session may.
                if chance.hits(.percent(20)) { transactions.removeAll { $0.id.number % 3 == 0 } }
                if chance.hits(.percent(10)) { transactions = [] }
            }
            listed.update(transactions, Self.isListed)
            #expect(listed.places == transactions.indices.filter { Self.isListed(transactions[$0]) })
        }
    }
}
