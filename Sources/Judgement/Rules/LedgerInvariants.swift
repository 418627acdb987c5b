// What must be true of the store's own books, whatever the client does.
// Pure; any thread.

import Simulation

enum LedgerInvariants {
    /// Every charge has one transaction, every charged transaction one charge.
    static func faults(in statement: AccountStatement) -> [HarnessFault] {
        // In a sound ledger both lists run in step, so that this is one pass; only a broken one is searched.
        var inStep = true
        var charge = 0
        var previous: TransactionID?
        for transaction in statement.transactions {
            if let previous, transaction.id <= previous { inStep = false }
            previous = transaction.id
            guard transaction.isCharged else { continue }
            if charge < statement.charges.count, statement.charges[charge].transaction == transaction.id {
                charge += 1
            } else {
                inStep = false
            }
        }
        return inStep && charge == statement.charges.count ? [] : searched(statement)
    }

    private static func searched(_ statement: AccountStatement) -> [HarnessFault] {
        var faults: [HarnessFault] = []
        var charges: [TransactionID: Int] = [:]
        for charge in statement.charges { charges[charge.transaction, default: 0] += 1 }
        var seen: Set<TransactionID> = []
        for transaction in statement.transactions {
            if !seen.insert(transaction.id).inserted { faults.append(.identifierTwice(transaction.id)) }
            let times = charges[transaction.id] ?? 0
            if transaction.isCharged, times == 0 { faults.append(.transactionWithoutCharge(transaction.id)) }
            if times > 1 { faults.append(.chargedMoreThanOnce(transaction.id, times: times)) }
        }
        for charge in statement.charges where !seen.contains(charge.transaction) {
            faults.append(.chargeWithoutTransaction(charge.transaction))
        }
        return faults
    }
}
