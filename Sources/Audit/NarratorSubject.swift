// Which lines of a timeline are about a violation.
// Values; any thread.

import Simulation

extension Narrator {
    /// The transaction, payment and request that a violation is about.
    struct Subject {
        private let transaction: TransactionID?
        private let payment: Int32?
        private let violation: Violation
        /// Of these rules the goods are the story.
        private let isAboutGoods: Bool

        init(_ violation: Violation, _ transaction: StoreTransaction?) {
            self.violation = violation
            self.transaction = transaction?.id
            payment = violation.request?.payment ?? transaction?.payment.map { Int32($0.number) }
            if case .goods = violation.finding { isAboutGoods = true } else { isAboutGoods = false }
        }

        /// Whether a line that names a transaction names this one.
        func isAbout(_ named: TransactionID?) -> Bool { transaction != nil && named == transaction }

        func matches(_ record: HistoryRecord) -> Bool {
            // What reached the app in the instant of its act, and what it did then.
            if violation.rule.isOfAnAct, record.at == violation.at, isInLaunch(record), !record.event.isGoods {
                return true
            }
            switch record.event {
            case .told(let note), .finishCalled(let note):
                return isAbout(note.id) || note.payment != nil && note.payment == payment
            case .removedTold(let note): return isAbout(note.id)
            case .failureTold(let token, _): return token != nil && token == payment
            case .paymentAdded(let note): return note.payment == payment
            case .admitted(let note): return isAbout(note.transaction)
            case .revokedTold(_, let product): return violation.product == product
            case .goods(let product, _): return isAboutGoods && violation.product == product
            case .asked(let question): return isRequest(question.kind, question.number)
            case .answered(let answer): return isRequest(answer.kind, answer.number)
            case .restoreCalled, .restoreFinishedTold, .restoreFailedTold:
                return violation.rule == .restoreOverreach || violation.rule == .restoreIncomplete
                    || violation.request?.kind == .restore && isInLaunch(record)
            case .productsStarted(let request, _), .productsFailedTold(let request, _, _):
                return isProducts(request) && isInLaunch(record)
            case .productsTold(let products): return isProducts(products.request) && isInLaunch(record)
            case .raised, .foreignFinish, .overworked, .mainQueueHeld, .hung, .calledOffLane:
                return record.at == violation.at
            case .reinstalled: return isAboutGoods
            case .launched, .launchReturned, .willTerminate, .terminated, .crashed, .backgrounded, .foregrounded,
                .settlingBegan, .accountSwitched, .settled, .used, .observerAdded, .observerRemoved,
                .receiptRefreshStarted, .receiptRefreshTold, .receiptRefreshFailedTold, .receiptArrived,
                .promotionTapped, .promotionTold, .requestLost, .answerLost, .posted, .postAnswered, .stored:
                return false
            }
        }

        private func isRequest(_ kind: RequestKind, _ number: Int32) -> Bool {
            violation.request?.kind == kind && violation.request?.number == number
        }

        private func isProducts(_ request: Int32) -> Bool { request == violation.request?.productsRequest }

        private func isInLaunch(_ record: HistoryRecord) -> Bool { violation.process == Int(record.process) }
    }
}
