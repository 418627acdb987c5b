// What the payment daemon keeps for StoreKit 2.
// Guard: as the daemon, confined to the device's lane.

/// A call of `Product.purchase` that has not been answered.
struct StoreKit2Payment {
    let call: Int
    let handle: Int
    let token: PaymentToken
    let app: any AppPort
    /// S61.
    let asksToContinue: Bool
}

/// What the daemon keeps for StoreKit 2 on one device. An object: apps of the original API pay for an empty reference.
final class StoreKit2Part {
    /// What the device knows of the account (S28); nil if it knows nothing.
    var record: PurchaseRecord?
    /// The store has told what it knows; else there is only what this device bought, and what came for the queue.
    var hasStoresRecord = false
    /// Of the account that is not signed in (S31).
    private var otherRecord: PurchaseRecord?
    private var payments: [StoreKit2Payment] = []

    // Of the running launch.
    var isInUse = false
    /// S84: the app reads intents.
    var hearsIntents = false
    /// S76: the app reads messages.
    var hearsMessages = false
    /// Messages that wait for the app to read them, or to be shown without it.
    var messages: [SystemMessage] = []
    private var announced: Set<SystemMessage> = []
    /// The store has been asked, and has answered or not.
    var isAsked = false
    /// Reads that wait for that.
    var readers: [Reader] = []

    /// A read of the record, or of the app's own purchase (S74).
    struct Reader {
        let call: Int
        let app: any AppPort
        var wantsApp = false
    }
    /// S64: the app waits for the statuses as they are.
    var tellsStatuses = false
    /// S42: calls of `finish` that have not returned.
    var finishing: [(purchase: TransactionID, call: Int, app: any AppPort)] = []
    /// What the app is to receive once the test session's call, which is buying, has returned (S101); nil: none is.
    var held: [PurchaseFact]?
    /// The latest read was answered without the record (S28).
    var isWithoutStore = false
    /// What the app has received and has not finished: it does not receive it again (S11).
    var told: Set<TransactionID> = []

    var callsUnderWay: Int { readers.count + finishing.count }

    /// Whether the message is new in this launch.
    func announces(_ message: SystemMessage) -> Bool { announced.insert(message).inserted }
    func mayAnnounceAgain() { announced = [] }

    func add(_ payment: StoreKit2Payment) { payments.append(payment) }

    func isPaying(_ app: any AppPort) -> Bool { payments.contains { $0.app === app } }

    func payment(_ handle: Int) -> StoreKit2Payment? { payments.first { $0.handle == handle } }

    func takePayment(_ handle: Int) -> StoreKit2Payment? {
        payments.firstIndex { $0.handle == handle }.map { payments.remove(at: $0) }
    }

    /// What the store has answered to a payment of either API: the device knows of it, whatever else it was not told.
    func note(_ purchase: StoreTransaction) {
        // In place: a copy would cost more with each purchase.
        if record == nil { record = .empty }
        record?.note(purchase)
    }

    /// What a synchronisation has brought for the queue alone.
    func note(_ unfinished: [StoreTransaction]) {
        for purchase in unfinished where record?[purchase.id] == nil { note(purchase) }
    }

    /// R20, S41: the purchase is unfinished all the same.
    func finishFailed(_ id: TransactionID) { record?.note(id, finishedAt: nil) }

    func launchEnded() {
        isInUse = false
        hearsIntents = false
        hearsMessages = false
        held = nil
        messages = []
        announced = []
        isAsked = false
        readers = []
        tellsStatuses = false
        finishing = []
        told = []
    }

    /// A test session has deleted these.
    func forget(_ forgotten: Forgotten) {
        record?.purchases.removeAll { forgotten.covers($0.id, $0.payment) }
        told = told.filter { !forgotten.covers($0, nil) }
    }

    func switchAccount() { swap(&record, &otherRecord) }

    /// The app was deleted.
    func forgetApp() {
        record = nil
        otherRecord = nil
        hasStoresRecord = false
        isWithoutStore = false
    }
}
