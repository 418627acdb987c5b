// What each planted mistake must be called, and the table of how well the audit did.
// Values; any thread.

import Foundation
import Judgement

/// A mistake and the rules that it breaks.
struct Mutant {
    let mistake: Mistake
    /// What the audit must name.
    let breaks: Set<AuditRule>
    /// What it may name beside it, because the one breach brings about the other.
    let implies: (rules: Set<AuditRule>, because: String)

    init(_ mistake: Mistake) {
        self.mistake = mistake
        breaks = Self.breaks(mistake)
        implies = Self.implies(mistake)
    }

    private static func breaks(_ mistake: Mistake) -> Set<AuditRule> {
        switch mistake {
        case .none: return []
        case .finishesBeforeDelivering: return [.finishedBeforeDelivery]
        case .neverFinishes: return [.stuckTransaction]
        case .deliversTwice, .forgetsWhatItDelivered: return [.duplicateDelivery]
        case .deliversOnFailed, .deliversOnDeferred: return [.unpaidDelivery]
        case .wrongProduct, .ignoresQuantity, .swapsRepeats: return [.wrongProduct]
        case .noObserverAtLaunch, .observesLate: return [.unobservedLaunch]
        case .addsObserverTwice: return [.observerLeak]
        case .keepsObserverAtTermination: return [.observerLeft]
        case .swallowsAnswer: return [.unansweredRequest]
        case .answersTwice: return [.answeredTwice]
        case .saysPurchasedWhenFailed, .saysFailedWhenPurchased: return [.wrongAnswer]
        case .showsCancelAsError: return [.cancelAsError]
        case .restoreCreditsConsumable, .restoreCreditsWhatIsNotOwned: return [.restoreOverreach]
        case .restoreIgnored: return [.restoreIncomplete]
        case .restoreNotReported: return [.restoreUnreported]
        case .finishesPurchasing: return [.clientCrash, .illegalFinish]
        case .finishesStrangers: return [.illegalFinish]
        case .assertionFailed: return [.clientCrash]
        case .dropsRedeliveries, .wipesGoodsAtLaunch, .deliversNothing: return [.lostPurchase]
        case .leavesItsQueue: return [.leftItsQueue]
        case .ignoresRevocations: return [.staleEntitlement]
        case .blocksMainQueue: return [.mainQueueBlocked]
        case .neverReturns: return [.clientHang]
        case .paysAgainWhenRemoved, .paysAtLaunch: return [.unaskedCharge]
        case .paysTwiceForOneTap: return [.askedAgain]
        case .putsPromotionsOff, .doesNotHearPromotions: return [.ignoredPromotion]
        case .restoresAtLaunch, .refreshesReceiptAtLaunch: return [.unaskedRestore]
        case .deafAfterBackground, .hearsLateAfterBackground: return [.deafAfterBackground]
        case .paysAgainAtOnce, .fetchesAgainAtOnce: return [.clientLivelock]
        case .saysCancelledWhenFailed, .saysDeferredWhenFailed, .refusesAlways, .busyAfterCancel,
            .showsCachedProducts, .showsNothing, .saysFetchFailed, .saysFailedRestoreIsNothing:
            return [.wrongAnswer]
        case .showsCancelledRestoreAsError: return [.cancelAsError]
        case .ignoresExpiry, .grantsAgainAtLaunch: return [.staleEntitlement]
        case .trustsUnverified, .holdsUnverified: return [.unverifiedDelivery]
        case .finishesUnverified, .clearsUnfinished: return [.finishedUnverified]
        case .stopsListening, .leavesLoop: return [.deafListener]
        case .locksAtReturn, .locksWhatIsNotSold: return [.withheldEntitlement]
        }
    }

    private static func implies(_ mistake: Mistake) -> (rules: Set<AuditRule>, because: String) {
        switch mistake {
        case .noObserverAtLaunch:
            return (
                [.stuckTransaction, .lostPurchase, .restoreUnreported],
                "whoever never observes is never told what to deliver, to finish and to report"
            )
        case .dropsRedeliveries:
            return ([.finishedBeforeDelivery], "what a later restore brings back was not lost, only finished too early")
        case .wipesGoodsAtLaunch: return ([.restoreIncomplete], "what a restore had brought is wiped as well")
        case .paysAtLaunch:
            return (
                [.wrongAnswer, .cancelAsError, .askedAgain],
                "a payment of the app's own looks like the one that its user asked for"
            )
        case .clearsUnfinished:
            return (
                [.lostPurchase, .finishedBeforeDelivery],
                "a purchase that is finished does not come again once it can be verified"
            )
        case .deafAfterBackground:
            return ([.restoreUnreported, .unansweredRequest], "whoever does not listen hears of no end")
        default: return ([], "")
        }
    }
}

/// Found, missed and falsely accused, rule by rule.
struct RecallTable {
    private struct Row {
        var mutants: [String] = []
        var found = 0
        var missed = 0
        var falselyAccused = 0
    }

    private var rows: [AuditRule: Row] = [:]
    private var referenceRuns = 0
    private(set) var referenceAccusations = 0

    mutating func add(_ mutant: Mutant, found: Set<AuditRule>) {
        for rule in AuditRule.allCases {
            var row = rows[rule] ?? Row()
            if mutant.breaks.contains(rule) {
                row.mutants.append(mutant.mistake.rawValue)
                if found.contains(rule) { row.found += 1 } else { row.missed += 1 }
            } else if found.contains(rule), !mutant.implies.rules.contains(rule) {
                row.falselyAccused += 1
            }
            rows[rule] = row
        }
    }

    mutating func addReference(_ violations: [AuditRule: Int]) {
        referenceRuns += 1
        for (rule, count) in violations {
            rows[rule, default: Row()].falselyAccused += 1
            referenceAccusations += count
        }
    }

    private func sum(_ count: KeyPath<Row, Int>) -> Int { rows.values.reduce(0) { $0 + $1[keyPath: count] } }

    var precision: Double { Self.ratio(sum(\.found), sum(\.falselyAccused)) }
    var recall: Double { Self.ratio(sum(\.found), sum(\.missed)) }

    /// Of nothing found and nothing else, none.
    private static func ratio(_ hits: Int, _ others: Int) -> Double {
        hits == 0 ? 0 : Double(hits) / Double(hits + others)
    }

    var text: String {
        func line(_ cells: [String]) -> String {
            zip(cells, [24, 6, 7, 8, 10, 7, 0]).map {
                $0.padding(toLength: max($1, $0.count), withPad: " ", startingAt: 0)
            }
            .joined(separator: " ")
        }
        func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
        var lines = [line(["rule", "found", "missed", "accused", "precision", "recall", "mutants"])]
        for rule in AuditRule.allCases {
            let row = rows[rule] ?? Row()
            lines.append(
                line([
                    rule.rawValue, "\(row.found)", "\(row.missed)", "\(row.falselyAccused)",
                    percent(Self.ratio(row.found, row.falselyAccused)), percent(Self.ratio(row.found, row.missed)),
                    row.mutants.joined(separator: ", "),
                ]))
        }
        lines.append(
            line([
                "all", "\(sum(\.found))", "\(sum(\.missed))", "\(sum(\.falselyAccused))", percent(precision),
                percent(recall), "",
            ]))
        lines.append(
            "the reference client, shipped scenarios: \(referenceRuns) runs, \(referenceAccusations) accusations")
        return lines.joined(separator: "\n")
    }
}
