// What a user has left behind when its devices have settled, and what of it a judge gets.
// Plain values; any thread.

import Judgement
import Simulation

struct SettledUser: Sendable {
    let user: Int
    /// At least one.
    let devices: [SettledDevice]
    let totals: UserTotals
}

struct SettledDevice: Sendable {
    let events: [EventRecord]
    /// What their writes are about.
    let writtenPlaces: [WrittenPlace]
    let names: EventNames
    /// Goods of each product at the end.
    let held: [Int]
    /// The same when the account that was signed in first had come to rest; empty with one account.
    let heldOnFirstAccount: [Int]
    let missedMethods: OptionalMethods
    let usesStoreKit2: Bool
    let receiptTolerance: Span
    let counts: DeviceCounts
    let callbackTimes: [Int64]
    let requestFailures: [Instant]
    /// What its clients have printed.
    let log: ClientLog
}

extension UserRecord {
    /// - Parameter statement: the store's books of the user's account.
    init(_ settled: SettledUser, _ statement: AccountStatement, of cell: Cell) {
        let devices = settled.devices
        let shares = devices.count == 1 ? [DeviceShare(statement)] : DeviceShare.of(devices.map(\.events), statement)
        self.init(
            user: settled.user, entry: cell.entry(of: settled.user), cell: cell.index,
            devices: zip(devices, shares).map { device, share in
                DeviceRecord(
                    input: AuditInput(device, share, of: cell), counts: device.counts,
                    callbackTimes: device.callbackTimes, requestFailures: device.requestFailures)
            },
            totals: settled.totals)
    }
}

extension AuditInput {
    fileprivate init(_ device: SettledDevice, _ share: DeviceShare, of cell: Cell) {
        var held = device.held
        var givenUp: Set<ProductIndex> = []
        // What an app reads from its receipt is the signed-in account's: each is asked about its own.
        for (product, count) in device.heldOnFirstAccount.enumerated() where cell.isEntitlement(product) {
            if held[product] == 0, count > 0 { givenUp.insert(product) }
            held[product] = max(held[product], count)
        }
        self.init(
            catalog: cell.store.catalog, statement: share.statement, events: device.events, held: held,
            goodsPerPurchase: cell.setup.goodsPerPurchase, boughtElsewhere: share.boughtElsewhere,
            ownedElsewhere: share.ownedElsewhere)
        self.givenUp = givenUp
        patience = cell.app.patience
        tolerated = cell.setup.toleratedRules
        missedMethods = device.missedMethods
        staleness = cell.setup.staleAfter + device.receiptTolerance
        usesStoreKit2 = device.usesStoreKit2
        withdrawn = cell.setup.withdrawn
        notesReceipts = cell.setup.receiptsLag
        log = device.log
        (writtenPlaces, names) = (device.writtenPlaces, device.names)
    }
}
