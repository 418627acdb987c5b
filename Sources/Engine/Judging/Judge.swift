// Who takes in the users of a cell once they have settled.

import Audit
import Simulation

/// Called on one lane, user after user.
protocol Judge: AnyObject {
    func absorb(_ record: UserRecord, _ statement: AccountStatement, cell: Cell)
    /// No more users of this cell will come.
    ///
    /// - Parameter droppedIterations: of each load entry.
    func cellEnded(_ cell: Cell, droppedIterations: [Int])
}

/// What the audit reads of each of a user's devices.
func auditInputs(_ record: UserRecord, _ statement: AccountStatement, cell: Cell) -> [AuditInput] {
    let shares = record.devices.count == 1 ? [DeviceShare(statement)] : DeviceShare.of(record.devices, statement)
    return zip(record.devices, shares).map { device, share in
        AuditInput(
            catalog: cell.store.catalog, statement: share.statement, history: device.history, held: device.held,
            goodsPerPurchase: cell.material.goodsPerPurchase, boughtElsewhere: share.boughtElsewhere,
            ownedElsewhere: share.ownedElsewhere)
    }
}
