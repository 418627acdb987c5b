// A fault of the harness in report.json: of what kind it is, and its facts.
// Values; any thread.

import Engine
import Judgement
import Simulation

/// Which facts there are depends on the kind.
struct FaultFacts: Codable {
    enum Kind: String, Codable, CaseIterable {
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

    let kind: Kind
    /// The store's transaction.
    private var transaction: Int64?
    private var times: Int?
    /// A transaction of the device, which the store may not know.
    private var handle: Int?
    private var fromState: String?
    private var toState: String?
    /// A launch of the app.
    private var launch: Int?
    private var effect: String?
    private var fromNs: Int64?
    private var toNs: Int64?
    private var mishap: String?
    private var cell: Int?
    private var problem: String?
}

extension FaultFacts {
    init(_ fault: RunFault) {
        switch fault {
        case .broken(let fault): self.init(fault)
        case .endless: self.init(kind: .endless)
        case .standstill: self.init(kind: .standstill)
        case .strayed(let missed): self.init(kind: .strayed, mishap: missed.text)
        case .stuck(let cell): self.init(kind: .stuck, cell: cell)
        case .unreadable(let problem): self.init(kind: .unreadable, problem: problem)
        }
    }

    private init(_ fault: HarnessFault) {
        switch fault {
        case .chargeWithoutTransaction(let id): self.init(kind: .chargeWithoutTransaction, transaction: id.number)
        case .transactionWithoutCharge(let id): self.init(kind: .transactionWithoutCharge, transaction: id.number)
        case .chargedMoreThanOnce(let id, let times):
            self.init(kind: .chargedMoreThanOnce, transaction: id.number, times: times)
        case .identifierTwice(let id): self.init(kind: .identifierTwice, transaction: id.number)
        case .finishedAndRedelivered(let id): self.init(kind: .finishedAndRedelivered, transaction: id.number)
        case .illegalTransition(let handle, let from, let to):
            self.init(
                kind: .illegalTransition, handle: handle, fromState: from.fact, toState: to.fact)
        case .effectOfDeadProcess(let launch, let effect):
            self.init(kind: .effectOfDeadProcess, launch: launch, effect: effect.fact)
        case .timeWentBack(let from, let to):
            self.init(kind: .timeWentBack, fromNs: from.nanoseconds, toNs: to.nanoseconds)
        }
    }

    /// Nil where a fact of its kind is missing.
    var fault: RunFault? {
        let id = transaction.map(TransactionID.init)
        return switch kind {
        case .chargeWithoutTransaction: id.map { .broken(.chargeWithoutTransaction($0)) }
        case .transactionWithoutCharge: id.map { .broken(.transactionWithoutCharge($0)) }
        case .chargedMoreThanOnce: both(id, times).map { .broken(.chargedMoreThanOnce($0, times: $1)) }
        case .identifierTwice: id.map { .broken(.identifierTwice($0)) }
        case .finishedAndRedelivered: id.map { .broken(.finishedAndRedelivered($0)) }
        case .illegalTransition:
            both(
                handle,
                both(fromState.flatMap(TransactionState.init(fact:)), toState.flatMap(TransactionState.init(fact:)))
            ).map {
                .broken(.illegalTransition(handle: $0, from: $1.0, to: $1.1))
            }
        case .effectOfDeadProcess:
            both(launch, effect.flatMap(Effect.init(fact:))).map { .broken(.effectOfDeadProcess($0, $1)) }
        case .timeWentBack:
            both(fromNs, toNs).map {
                .broken(.timeWentBack(from: Instant(nanoseconds: $0), to: Instant(nanoseconds: $1)))
            }
        case .endless: .endless
        case .standstill: .standstill
        case .strayed: mishap.flatMap { Mishap(text: Substring($0)) }.map { .strayed($0) }
        case .stuck: cell.map { .stuck(cell: $0) }
        case .unreadable: problem.map { .unreadable(problem: $0) }
        }
    }

    private func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
        first.flatMap { first in second.map { (first, $0) } }
    }
}

/// What report.json calls the cases of an enumeration, whatever sentences call them.
private protocol NamedInFacts: CaseIterable {
    var fact: String { get }
}

extension NamedInFacts {
    fileprivate init?(fact: String) {
        guard let value = Self.allCases.first(where: { $0.fact == fact }) else { return nil }
        self = value
    }
}

extension TransactionState: NamedInFacts {
    fileprivate var fact: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        }
    }
}

extension Effect: NamedInFacts {
    fileprivate var fact: String {
        switch self {
        case .storeKitCall: "storekit_call"
        case .finish: "finish"
        case .storageWrite: "storage_write"
        case .answer: "answer"
        case .httpRequest: "http_request"
        }
    }
}
