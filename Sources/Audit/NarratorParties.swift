// Who does what to whom, for diagrams of a story.
// Pure; any thread.

import Simulation

extension Narrator {
    static func parties(_ event: DeviceEvent) -> (from: Party, to: Party) {
        switch event {
        case .asked, .used, .launched, .reinstalled, .backgrounded, .foregrounded, .promotionTapped:
            (.person, .app)
        case .answered: (.app, .person)
        case .observerAdded, .observerRemoved, .paymentAdded, .finishCalled, .foreignFinish, .restoreCalled,
            .receiptRefreshStarted, .productsStarted, .calledOffLane, .raised:
            (.app, .storeKit)
        case .posted: (.app, .appStore)
        case .postAnswered: (.appStore, .app)
        case .told, .failureTold, .removedTold, .restoreFinishedTold, .restoreFailedTold, .receiptRefreshTold,
            .receiptRefreshFailedTold, .revokedTold, .productsTold, .productsFailedTold, .willTerminate, .promotionTold,
            .receiptArrived:
            (.storeKit, .app)
        case .launchReturned, .terminated, .crashed, .goods, .stored, .mainQueueHeld, .hung, .overworked:
            (.app, .app)
        case .settlingBegan, .accountSwitched, .settled: (.person, .person)
        case .requestLost: (.storeKit, .storeKit)
        case .answerLost: (.appStore, .appStore)
        case .admitted: (.appStore, .storeKit)
        }
    }

    /// What a lost message was about.
    func words(for message: DeviceEvent.LostNote) -> String {
        switch message.kind {
        case .products: "the request for products"
        case .purchase: "the payment for \(name(message.product))"
        case .restore: "the request for restorable purchases"
        case .sync: "the request for unfinished purchases"
        case .finish: "that transaction \(message.transaction?.text ?? "") is finished"
        case .redeemOffer: "the redemption of a code"
        case .refreshReceipt: "the request for a fresh receipt"
        case .priceConsent: "the sheet for a higher price"
        case .post: "the receipt for the validator"
        }
    }
}
