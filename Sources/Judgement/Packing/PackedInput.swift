// The input of a story, as bytes. The catalog is the scenario's, and both sides have it.
// Values; any thread.

package import Files
package import Simulation

extension Packer {
    package mutating func put(_ input: AuditInput) {
        put(input.statement)
        put(plain: input.events)
        put(plain: input.held)
        put(plain: input.goodsPerPurchase)
        put(plain: input.boughtElsewhere.sorted())
        put(plain: input.ownedElsewhere.sorted())
        put(plain: input.givenUp.sorted())
        put(plain: input.patience)
        put(plain: input.tolerated.map(\.self))
        put(plain: input.missedMethods)
        put(plain: input.staleness)
        put(input.usesStoreKit2)
        put(plain: input.withdrawn.keys.sorted())
        put(plain: input.withdrawn.sorted { $0.key < $1.key }.map(\.value))
        put(input.notesReceipts)
        put(input.log)
        put(input.writtenPlaces)
        put(input.names)
    }

    package mutating func put(_ log: ClientLog) {
        for lines in [log.lines, log.reasons] {
            put(lines.count)
            for line in lines {
                put(plain: line.at)
                put(line.process)
                put(line.text)
            }
        }
        put(log.stacks.count)
        for stack in log.stacks {
            put(stack.process)
            put(plain: stack.calls)
        }
    }

    package mutating func put(_ places: [WrittenPlace]) {
        put(places.count)
        for place in places {
            switch place {
            case .key(let name): put(0, name)
            case .file(let name): put(1, name)
            case .secret(let name): put(2, name)
            }
        }
    }

    private mutating func put(_ kind: Int, _ name: String) {
        put(kind)
        put(name)
    }

    private mutating func put(_ statement: AccountStatement) {
        put(plain: statement.charges)
        put(statement.transactions.count)
        for transaction in statement.transactions { put(transaction) }
        put(plain: statement.attempts)
        put(statement.notifications.count)
        for note in statement.notifications {
            put(plain: (note.at, note.transaction, note.product, note.quantity))
            put(note.applicationUsername)
        }
        put(statement.isPaymentDisallowed)
        put(statement.isOfTwoAccounts)
    }

    private mutating func put(_ transaction: StoreTransaction) {
        put(plain: PlainTransaction(transaction))
        put(transaction.applicationUsername)
        switch transaction.offer {
        case nil: put(0)
        case .introductory?: put(1)
        case .promotional(let name)?:
            put(2)
            put(name)
        case .code(let code)?:
            put(3)
            put(code)
        case .winBack(let name)?:
            put(4)
            put(name)
        }
    }
}

/// A transaction without its texts.
private struct PlainTransaction {
    let id: TransactionID
    let original: TransactionID?
    let originalDate: Instant?
    let product: ProductIndex
    let quantity: Int
    let at: Instant
    let origin: StoreTransaction.Origin
    let payment: PaymentToken?
    let isCharged: Bool
    let finishedAt: Instant?
    let expiresAt: Instant?
    let graceBeganAt: Instant?
    let subscriptionStart: TransactionID?
    let revokedAt: Instant?
    let upgradedAt: Instant?

    init(_ transaction: StoreTransaction) {
        (id, original, originalDate) = (transaction.id, transaction.original, transaction.originalDate)
        (product, quantity, at) = (transaction.product, transaction.quantity, transaction.at)
        (origin, payment, isCharged) = (transaction.origin, transaction.payment, transaction.isCharged)
        (finishedAt, expiresAt) = (transaction.finishedAt, transaction.expiresAt)
        (graceBeganAt, subscriptionStart) = (transaction.graceBeganAt, transaction.subscriptionStart)
        (revokedAt, upgradedAt) = (transaction.revokedAt, transaction.upgradedAt)
    }
}

extension AuditInput {
    package init(_ unpacker: inout Unpacker, _ catalog: Catalog) throws(TornValue) {
        let statement = try AccountStatement(&unpacker)
        let events = try unpacker.plains(EventRecord.self)
        let held = try unpacker.plains(Int.self)
        guard held.count == catalog.products.count else { throw TornValue() }
        self.init(
            catalog: catalog, statement: statement, events: events, held: held,
            goodsPerPurchase: try unpacker.plains(Int.self),
            boughtElsewhere: Set(try unpacker.plains(ProductIndex.self)),
            ownedElsewhere: Set(try unpacker.plains(ProductIndex.self)))
        givenUp = Set(try unpacker.plains(ProductIndex.self))
        patience = try unpacker.plain(Span.self)
        tolerated = Set(try unpacker.plains(AuditRule.self))
        missedMethods = try unpacker.plain(OptionalMethods.self)
        staleness = try unpacker.plain(Span.self)
        usesStoreKit2 = try unpacker.flag()
        let products = try unpacker.plains(ProductIndex.self)
        let instants = try unpacker.plains(Instant.self)
        withdrawn = Dictionary(zip(products, instants)) { $1 }
        notesReceipts = try unpacker.flag()
        log = try ClientLog(&unpacker)
        writtenPlaces = try [WrittenPlace](&unpacker)
        names = try EventNames(&unpacker)
    }
}

extension [WrittenPlace] {
    package init(_ unpacker: inout Unpacker) throws(TornValue) {
        self = []
        for _ in 0..<(try unpacker.count()) {
            let kind = try unpacker.number()
            let name = try unpacker.text()
            switch kind {
            case 0: append(.key(name))
            case 1: append(.file(name))
            case 2: append(.secret(name))
            default: throw TornValue()
            }
        }
    }
}

extension ClientLog {
    package init(_ unpacker: inout Unpacker) throws(TornValue) {
        let lines = try [ClientLine](&unpacker)
        let reasons = try [ClientLine](&unpacker)
        var stacks: [ClientStack] = []
        for _ in 0..<(try unpacker.count()) {
            stacks.append(ClientStack(process: try unpacker.number(), calls: try unpacker.code()))
        }
        self.init(lines: lines, reasons: reasons, stacks: stacks)
    }
}

extension [ClientLine] {
    fileprivate init(_ unpacker: inout Unpacker) throws(TornValue) {
        self = []
        for _ in 0..<(try unpacker.count()) {
            append(
                ClientLine(
                    at: try unpacker.plain(Instant.self), process: try unpacker.number(), text: try unpacker.text()))
        }
    }
}

extension AccountStatement {
    fileprivate init(_ unpacker: inout Unpacker) throws(TornValue) {
        self.init()
        charges = try unpacker.plains(Charge.self)
        for _ in 0..<(try unpacker.count()) { transactions.append(try StoreTransaction(&unpacker)) }
        attempts = try unpacker.plains(PurchaseAttempt.self)
        for _ in 0..<(try unpacker.count()) {
            let note = try unpacker.plain((Instant, TransactionID, ProductIndex, Int).self)
            notifications.append(
                ValidatorNotification(
                    at: note.0, transaction: note.1, product: note.2, quantity: note.3,
                    applicationUsername: try unpacker.optionalText()))
        }
        isPaymentDisallowed = try unpacker.flag()
        isOfTwoAccounts = try unpacker.flag()
    }
}

extension StoreTransaction {
    fileprivate init(_ unpacker: inout Unpacker) throws(TornValue) {
        let plain = try unpacker.plain(PlainTransaction.self)
        self.init(
            id: plain.id, original: plain.original, originalDate: plain.originalDate, product: plain.product,
            quantity: plain.quantity, at: plain.at, origin: plain.origin, payment: plain.payment,
            applicationUsername: try unpacker.optionalText(), isCharged: plain.isCharged,
            finishedAt: plain.finishedAt)
        if let end = plain.expiresAt { expiresAt = end }
        if let began = plain.graceBeganAt { graceBeganAt = began }
        if let start = plain.subscriptionStart { subscriptionStart = start }
        if let end = plain.revokedAt { revokedAt = end }
        if let end = plain.upgradedAt { upgradedAt = end }
        switch try unpacker.number() {
        case 1: offer = .introductory
        case 2: offer = .promotional(try unpacker.text())
        case 3: offer = .code(try unpacker.text())
        case 4: offer = .winBack(try unpacker.text())
        default: break
        }
    }
}
