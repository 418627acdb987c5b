// Words for cases of enumerations that sentences name.
// Pure; any thread.

import Simulation

extension TransactionState {
    /// As what follows "is".
    var words: String {
        switch self {
        case .purchasing: "purchasing"
        case .purchased: "purchased"
        case .failed: "failed"
        case .restored: "restored"
        case .deferred: "deferred"
        }
    }
}

extension AnswerCode {
    /// What the app says.
    var words: String {
        switch self {
        case .purchased: "purchased"
        case .cancelled: "cancelled"
        case .deferred: "deferred"
        case .failed: "failed"
        case .refused: "refused"
        case .restored: "restored"
        case .nothingToRestore: "nothing to restore"
        case .fetched: "fetched"
        }
    }
}

extension Effect {
    var words: String {
        switch self {
        case .storeKitCall: "a call of StoreKit"
        case .finish: "a finish of a transaction"
        case .storageWrite: "a write to storage"
        case .answer: "an answer to its user"
        case .httpRequest: "a request to a server"
        }
    }
}
