// The facts of a fault of the harness, for report.json.
// Pure; any thread.

import Engine
import Judgement
import ReportModel
import Simulation

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
}

extension TransactionState {
    /// What report.json calls it, whatever sentences call it.
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

extension Effect {
    /// What report.json calls it, whatever sentences call it.
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
