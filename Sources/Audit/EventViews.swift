// One kind of event out of a history, for those who look for it alone.
// Values; any thread.

import Simulation

extension DeviceEvent {
    var telling: TransactionNote? { if case .told(let note) = self { note } else { nil } }
    var finish: TransactionNote? { if case .finishCalled(let note) = self { note } else { nil } }
    var payment: PaymentNote? { if case .paymentAdded(let note) = self { note } else { nil } }
    var question: Question? { if case .asked(let question) = self { question } else { nil } }
    var answer: Answer? { if case .answered(let answer) = self { answer } else { nil } }

    /// A telling, or the reason that follows it.
    var isOfTelling: Bool {
        if case .failureTold = self { return true }
        return telling != nil
    }

    var revocation: (transaction: TransactionID, product: ProductIndex)? {
        if case .revokedTold(let transaction, let product) = self { (transaction, product) } else { nil }
    }

    /// A receipt came, of whatever age.
    var isReceipt: Bool {
        if case .receiptArrived = self { return true }
        return refreshEnded == true
    }

    /// What a products request came to: so many found, or the reason why it failed.
    var products: (request: Int32, result: Result<Int, StoreFailure>, isHeard: Bool)? {
        if case .productsTold(let note) = self { return (note.request, .success(Int(note.found)), note.isHeard) }
        if case .productsFailedTold(let request, let failure, let isHeard) = self {
            return (request, .failure(failure), isHeard)
        }
        return nil
    }

    var isProductsStart: Bool { if case .productsStarted = self { true } else { false } }
    var isGoods: Bool { if case .goods = self { true } else { false } }
    var isUse: Bool { if case .used = self { true } else { false } }
    var isWrite: Bool { if case .stored = self { true } else { false } }

    /// A restore's end, and whether it went well; with nothing to it, or by way of the receipt.
    var restoreEnded: Bool? {
        if case .restoreFinishedTold = self { return true }
        if case .restoreFailedTold = self { return false }
        return nil
    }

    var restoreFailure: StoreFailure? {
        if case .restoreFailedTold(let failure) = self { return failure }
        if case .receiptRefreshFailedTold(_, let failure) = self { return failure }
        return nil
    }

    var refreshEnded: Bool? {
        if case .receiptRefreshTold = self { return true }
        if case .receiptRefreshFailedTold = self { return false }
        return nil
    }
}
