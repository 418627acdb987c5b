// From a finding to the conduct that it shows.
// Pure; any thread.

import Simulation

extension UserStory {
    package func conduct(_ violation: Violation) -> Conduct {
        var parts: [Circumstance] = []
        if let request = violation.request {
            parts.append(Self.circumstance(request.kind))
        } else if let product = violation.product {
            parts.append(input.catalog[product].kind.isEntitlement ? .entitlement : .consumable)
        }
        if let id = violation.transaction, Self.goesByTransaction.contains(violation.rule) {
            parts += handling(of: id)
        }
        if violation.rule == .staleEntitlement { parts.append(ending(of: violation)) }
        parts += Self.circumstances(violation.finding)
        return Conduct(rule: violation.rule, circumstances: parts)
    }

    private static let goesByTransaction: Set<AuditRule> = [
        .lostPurchase, .wrongProduct, .finishedBeforeDelivery, .stuckTransaction, .duplicateDelivery, .unpaidDelivery,
        .restoreOverreach,
    ]

    /// How a transaction was delivered, and how the app last finished it: the rest is chance.
    private func handling(of id: TransactionID) -> [Circumstance] {
        let tellings = tellings(of: id)
        let telling: Circumstance =
            tellings.isEmpty
            ? .neverTold : tellings.allSatisfy(wasAskedInItsLaunch) ? .toldWhereAsked : .toldElsewhere
        guard let finish = finishes(of: id).last else { return [telling, .notFinished] }
        return [telling, hadDelivered(finish) ? .finishedAfterDelivery : .finishedUndelivered]
    }

    private func ending(of violation: Violation) -> Circumstance {
        let transaction = transaction(violation.transaction)
        return transaction?.revokedAt == nil && transaction?.expiresAt != nil ? .expired : .takenBack
    }

    // MARK: Findings

    private static func circumstances(_ finding: Violation.Finding) -> [Circumstance] {
        switch finding {
        case .none, .owed, .answers, .overworked, .observers, .raised, .died, .held, .waited: return []
        case .goods(let expected, let held): return [held < expected ? .tooFew : .tooMany]
        case .mixedUp: return [.mixedUp]
        case .state(let state): return [circumstance(state)]
        case .answered(let answer, let attempt):
            return [circumstance(answer)] + (attempt.map { [circumstance($0)] } ?? [])
        case .answeredUnasked(let answer): return [circumstance(answer), .unasked]
        case .fetched(let answer, let mistake): return [circumstance(answer), circumstance(mistake)]
        case .restored(let answer, let mistake): return [circumstance(answer), circumstance(mistake)]
        case .promoted(let answer): return [circumstance(answer)]
        case .intentsUnread: return [.noObserver]
        case .neverAsked: return [.neverAsked]
        }
    }

    private static func circumstance(_ kind: RequestKind) -> Circumstance {
        switch kind {
        case .fetch: .fetch
        case .purchase: .purchase
        case .restore: .restore
        }
    }

    private static func circumstance(_ state: TransactionState) -> Circumstance {
        switch state {
        case .purchasing: .purchasing
        case .purchased: .charged
        case .failed: .failed
        case .restored: .toldAsRestored
        case .deferred: .deferred
        }
    }

    private static func circumstance(_ answer: AnswerCode) -> Circumstance {
        switch answer {
        case .purchased: .answeredPurchased
        case .cancelled: .answeredCancelled
        case .deferred: .answeredDeferred
        case .failed: .answeredFailed
        case .refused: .answeredRefused
        case .restored: .answeredRestored
        case .nothingToRestore: .answeredNothing
        case .fetched: .answeredFetched
        }
    }

    private static func circumstance(_ attempt: PurchaseAttempt.Outcome) -> Circumstance {
        switch attempt {
        case .undecided: .undecided
        case .charged: .charged
        case .repeated, .existing: .repeated
        case .cancelled: .cancelled
        case .refused: .failed
        case .awaitsApproval: .awaitsApproval
        case .declined: .declined
        case .interrupted: .interrupted
        }
    }

    private static func circumstance(_ mistake: Violation.FetchMistake) -> Circumstance {
        switch mistake {
        case .showedUnsold: .showedUnsold
        case .showedNothing: .showedNothing
        case .failureAsSuccess: .failed
        case .successAsFailure: .charged
        }
    }

    private static func circumstance(_ mistake: Violation.RestoreMistake) -> Circumstance {
        switch mistake {
        case .nothingTold: .undecided
        case .failed: .failed
        case .finished: .repeated
        }
    }

    private static func circumstance(_ answer: PromotionAnswer?) -> Circumstance {
        switch answer {
        case .unheard: .unheard
        case .notNow: .notNow
        case .added, nil: .noObserver
        }
    }
}
