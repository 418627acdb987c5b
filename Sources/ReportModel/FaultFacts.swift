// A fault of the harness in report.json: of what kind it is, and its facts.
// Values; any thread.

/// Which facts there are depends on the kind.
package struct FaultFacts: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case chargeWithoutTransaction = "charge_without_transaction"
        case transactionWithoutCharge = "transaction_without_charge"
        case chargedMoreThanOnce = "charged_more_than_once"
        case identifierTwice = "identifier_twice"
        case finishedAndRedelivered = "finished_and_redelivered"
        case illegalTransition = "illegal_transition"
        case effectOfDeadProcess = "effect_of_dead_process"
        case timeWentBack = "time_went_back"
        case endless
        case standstill
        case strayed
        case stuck
        case unreadable
    }

    package let kind: Kind
    /// The store's transaction.
    package var transaction: Int64?
    package var times: Int?
    /// A transaction of the device, which the store may not know.
    package var handle: Int?
    package var fromState: String?
    package var toState: String?
    /// A launch of the app.
    package var launch: Int?
    package var effect: String?
    package var fromNs: Int64?
    package var toNs: Int64?
    package var mishap: String?
    package var cell: Int?
    package var problem: String?

    package init(
        kind: Kind, transaction: Int64? = nil, times: Int? = nil, handle: Int? = nil, fromState: String? = nil,
        toState: String? = nil, launch: Int? = nil, effect: String? = nil, fromNs: Int64? = nil, toNs: Int64? = nil,
        mishap: String? = nil, cell: Int? = nil, problem: String? = nil
    ) {
        (self.kind, self.transaction, self.times, self.handle) = (kind, transaction, times, handle)
        (self.fromState, self.toState, self.launch, self.effect) = (fromState, toState, launch, effect)
        (self.fromNs, self.toNs, self.mishap, self.cell, self.problem) = (fromNs, toNs, mishap, cell, problem)
    }
}
