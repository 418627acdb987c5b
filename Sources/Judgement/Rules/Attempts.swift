// How often an app went to StoreKit with what its users asked for: what was never tried cannot be right.
// A value; any thread.

package import Simulation

/// Requests of one kind.
package struct Attempts: Sendable, Equatable {
    /// Those that the app took to StoreKit, or could answer without it.
    package internal(set) var tried = 0
    /// Those that it answered, or let lie, without ever trying.
    package internal(set) var untried = 0
    /// Of these, the ones that it refused, or whose product the store did not find.
    package internal(set) var refused = 0

    /// Users asked, and nothing ever came of it.
    package var areAllUntried: Bool { tried == 0 && untried > 0 }

    package static func += (left: inout Attempts, right: Attempts) {
        left.tried += right.tried
        left.untried += right.untried
        left.refused += right.refused
    }
}

/// Requests of every kind.
package struct AttemptsByKind: Sendable, Equatable {
    private var fetches = Attempts()
    private var purchases = Attempts()
    private var restores = Attempts()

    package internal(set) subscript(kind: RequestKind) -> Attempts {
        get {
            switch kind {
            case .fetch: fetches
            case .purchase: purchases
            case .restore: restores
            }
        }
        _modify {
            switch kind {
            case .fetch: yield &fetches
            case .purchase: yield &purchases
            case .restore: yield &restores
            }
        }
    }

    package static func += (left: inout AttemptsByKind, right: AttemptsByKind) {
        for kind in RequestKind.allCases { left[kind] += right[kind] }
    }
}

extension UserStory {
    /// The attempts at requests of each kind. What died with its process, or never got as far as the store, counts for
    /// nothing.
    package var attempts: AttemptsByKind {
        var attempts = AttemptsByKind()
        for request in requests.all {
            if wasTried(request) {
                attempts[request.kind].tried += 1
            } else if isSettled(request) {
                attempts[request.kind].untried += 1
                let foundNothing = request.ending == .products && request.found == 0
                if request.answer == .refused || foundNothing { attempts[request.kind].refused += 1 }
            }
        }
        for payment in requests.payments where payment.isPromoted { attempts[.purchase].tried += 1 }
        return attempts
    }

    private func wasTried(_ request: RequestTrack) -> Bool {
        switch request.kind {
        case .purchase: return request.payment != nil
        case .fetch: return request.productsRequest != nil || request.shown > 0
        case .restore: return request.hasCalledStoreKit || request.answer == .restored
        }
    }

    private func isSettled(_ request: RequestTrack) -> Bool {
        if request.kind == .purchase, request.ending == .productsFailed || request.awaitsProducts { return false }
        if request.kind == .purchase, input.statement.isPaymentDisallowed { return false }
        // What the store does not sell cannot be bought.
        if request.kind == .purchase, request.product.map({ input.withdrawn[$0] != nil }) ?? true { return false }
        return request.answers > 0
            || request.end?.showedNothing(since: request.asked.at, patience: input.patience) ?? false
    }
}
