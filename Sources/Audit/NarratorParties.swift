// Who does what to whom, for diagrams of a story.
// Pure; any thread.

import Simulation

extension Narrator {
    static func parties(_ kind: HistoryRecord.Kind) -> (from: Party, to: Party) {
        switch kind {
        case .fetchAsked, .purchaseAsked, .restoreAsked, .used, .launched, .reinstalled, .backgrounded, .foregrounded,
            .promotionTapped:
            return (.person, .app)
        case .fetchAnswered, .purchaseAnswered, .restoreAnswered:
            return (.app, .person)
        case .observerAdded, .observerRemoved, .paymentAdded, .finishCalled, .foreignFinish, .restoreCalled,
            .receiptRefreshStarted, .productsStarted, .calledOffLane, .raised:
            return (.app, .storeKit)
        case .posted: return (.app, .appStore)
        case .postAnswered: return (.appStore, .app)
        case .told, .failureTold, .removedTold, .restoreFinishedTold, .restoreFailedTold, .receiptRefreshTold,
            .receiptRefreshFailedTold, .revokedTold, .productsTold, .productsFailedTold, .willTerminate, .promotionTold,
            .receiptArrived:
            return (.storeKit, .app)
        case .launchReturned, .terminated, .crashed, .goods, .stored, .mainQueueHeld, .hung, .overworked:
            return (.app, .app)
        case .settlingBegan, .accountSwitched, .settled:
            return (.person, .person)
        case .requestLost: return (.storeKit, .storeKit)
        case .answerLost: return (.appStore, .appStore)
        case .admitted: return (.appStore, .storeKit)
        }
    }

    /// What a lost message was about.
    func message(_ record: HistoryRecord) -> String {
        switch LinkMessageKind(rawValue: Int(record.code)) {
        case .products: return "the request for products"
        case .purchase: return "the payment for \(name(record.productIndex))"
        case .restore: return "the request for restorable purchases"
        case .sync: return "the request for unfinished purchases"
        case .finish: return "that transaction \(record.number) is finished"
        case .redeemOffer: return "the redemption of a code"
        case .refreshReceipt: return "the request for a fresh receipt"
        case .priceConsent: return "the sheet for a higher price"
        case .post: return "the receipt for the validator"
        case nil: return "a message"
        }
    }
}
