// Who takes in the users of a cell once they have settled.

import Audit
import Metrics
import Simulation

/// Called on one lane, user after user.
protocol Judge: AnyObject {
    func absorb(_ record: UserRecord, _ statement: AccountStatement, cell: Cell)
    /// No more users of this cell will come.
    func cellEnded(_ summary: CellSummary)
}

/// What is known of a cell as a whole when its last user has been judged.
struct CellSummary: Sendable {
    /// Of each load entry.
    let droppedIterations: [Int]
    /// How long requests waited in the store's queue; measured where the store has a capacity.
    let queueWaits: TimeSeries
}

/// What the audit reads of each of a user's devices.
func auditInputs(_ record: UserRecord, _ statement: AccountStatement, cell: Cell) -> [AuditInput] {
    let shares = record.devices.count == 1 ? [DeviceShare(statement)] : DeviceShare.of(record.devices, statement)
    return zip(record.devices, shares).map { device, share in
        var held = device.held
        var givenUp: Set<ProductIndex> = []
        // What an app reads from its receipt is the signed-in account's: each is asked about its own.
        for (product, count) in device.heldOnFirstAccount.enumerated() where cell.isEntitlement(product) {
            if held[product] == 0, count > 0 { givenUp.insert(product) }
            held[product] = max(held[product], count)
        }
        var input = AuditInput(
            catalog: cell.store.catalog, statement: share.statement, history: device.history, held: held,
            goodsPerPurchase: cell.material.goodsPerPurchase, boughtElsewhere: share.boughtElsewhere,
            ownedElsewhere: share.ownedElsewhere)
        input.givenUp = givenUp
        input.patience = cell.app.patience
        input.tolerated = cell.material.toleratedRules
        input.staleness = cell.material.staleAfter
        input.withdrawn = cell.material.withdrawn
        input.notesReceipts = cell.material.receiptsLag
        return input
    }
}
