// Which lines of a timeline are about a violation.
// Values; any thread.

import Simulation

extension Narrator {
    /// The transaction, payment and request that a violation is about.
    struct Subject {
        private let transaction: TransactionID?
        private let payment: Int64?
        private let violation: Violation
        /// Of these rules the goods are the story.
        private let isAboutGoods: Bool

        init(_ violation: Violation, _ transaction: StoreTransaction?) {
            self.violation = violation
            self.transaction = transaction?.id
            payment = violation.request?.payment ?? transaction?.payment.map { Int64($0.number) }
            if case .goods = violation.finding { isAboutGoods = true } else { isAboutGoods = false }
        }

        /// Whether a line that names a transaction names this one.
        func isAbout(_ named: TransactionID?) -> Bool { transaction != nil && named == transaction }

        func matches(_ record: HistoryRecord) -> Bool {
            switch record.kind {
            case .told, .failureTold, .finishCalled, .removedTold:
                if let transaction, record.other == transaction.number { return true }
                return record.payment != 0 && Int64(record.payment) == payment
            case .paymentAdded: return record.number == payment
            case .admitted: return transaction?.number == record.number
            case .revokedTold: return violation.product == record.productIndex
            case .goods: return isAboutGoods && violation.product == record.productIndex
            case .fetchAsked, .fetchAnswered: return isRequest(.fetch, record)
            case .purchaseAsked, .purchaseAnswered: return isRequest(.purchase, record)
            case .restoreAsked, .restoreAnswered: return isRequest(.restore, record)
            case .restoreCalled, .restoreFinishedTold, .restoreFailedTold:
                return violation.rule == .restoreOverreach || violation.rule == .restoreIncomplete
                    || violation.request?.kind == .restore && violation.process == Int(record.process)
            case .productsStarted, .productsTold, .productsFailedTold:
                return record.number == violation.request?.productsRequest && violation.process == Int(record.process)
            case .raised, .foreignFinish, .overworked, .mainQueueHeld, .hung, .calledOffLane:
                return record.at == violation.at
            case .reinstalled: return isAboutGoods
            default: return false
            }
        }

        private func isRequest(_ kind: RequestKind, _ record: HistoryRecord) -> Bool {
            guard let request = violation.request else { return false }
            return request.kind == kind && Int64(request.number) == record.number
        }
    }
}
