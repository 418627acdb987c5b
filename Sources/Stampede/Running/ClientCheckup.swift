// What a few users say of a client: whether it can be judged, not whether it is right.
// A value; any thread.

import Engine
import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import Simulation

struct ClientCheckup {
    let result: RunResult
    private let report: Report
    /// An app that calls StoreKit from nowhere is not judged, nor one that StoreKit cannot call; every other note of the report
    /// leaves the verdict alone.
    private let obstacles: [String?]
    /// The same users, with transactions that cannot be verified. Nil: it was not tried.
    var unverified: RunResult?

    init(_ result: RunResult, _ options: RunOptions) {
        self.result = result
        let builder = ReportBuilder(result, options: options, usersOption: nil, startedAt: Date())
        (report, obstacles) = (builder.report(), [builder.unattributedNote, builder.subclassMethodNote])
    }

    var findings: [DoctorFinding.Client] {
        let ended = endings
        // Of a client that did not come to its end nothing else is known.
        if !ended.isEmpty { return ended }
        return requests + [answers, goods, tasks].compactMap(\.self) + storeKit2 + [servers].compactMap(\.self)
            + outside + [found]
    }

    private var endings: [DoctorFinding.Client] {
        report.verdict.reasons.compactMap { reason in
            switch reason.kind {
            case .clientRaised, .clientExited, .clientOverran, .clientHung, .workerDied, .usersStuck, .journeysEndless,
                .journeysSpinning:
                .ended(
                    reason, evidence: evidence(.clientCrash, .clientExit, .clientMemory, .clientHang)?.sentence)
            default: nil
            }
        }
    }

    /// Whether each member comes to something.
    private var requests: [DoctorFinding.Client] {
        RequestKind.allCases.compactMap { kind in
            let attempts = result.collector.attempts[kind]
            let asked = attempts.tried + attempts.untried
            if asked == 0 { return nil }
            return attempts.areAllUntried
                ? .askedInVain(kind, times: asked, refusal(attempts))
                : .asked(kind, times: asked, tried: attempts.tried)
        }
    }

    private func refusal(_ attempts: Attempts) -> DoctorFinding.Refusal {
        if result.remarks.contains(where: { $0.kind == .missingReceipt }), attempts.refused < attempts.untried {
            return .missingReceipt
        }
        return attempts.refused > 0 ? .refused : .unknown
    }

    private var answers: DoctorFinding.Client? {
        if let silent = evidence(.unansweredRequest, .restoreUnreported) {
            return .unanswered(
                requests: count(.unansweredRequest) + count(.restoreUnreported), first: silent.sentence)
        }
        // Nil: nobody asked, or nobody waited for an answer to the end.
        return report.metrics.first { $0.name == MetricName.answerDelay.name }?.response.map {
            .answered(longest: $0.max)
        }
    }

    private var goods: DoctorFinding.Client? {
        let tally = result.collector.tally.measurements
        guard tally[.purchases].count > 0 else { return nil }
        // Where everything was lost they have shown nothing, whatever came in between.
        if count(.lostPurchase) >= tally[.purchases].count { return nil }
        return tally[.deliveries].count > 0 ? .goodsShown : .goodsNeverShown
    }

    private var tasks: DoctorFinding.Client? { result.taskJobs > 0 ? .taskJobs(result.taskJobs) : nil }

    /// An app that waits for its own server's word cannot be judged without it.
    private var servers: DoctorFinding.Client? {
        guard let remark = result.remarks.first(where: { $0.kind == .server }), let first = remark.subjects.min() else {
            return nil
        }
        return .unknownServer(
            remark, first: first.name, isSentSignedData: result.remarks.contains { $0.kind == .signedData })
    }

    // MARK: StoreKit 2

    var usesStoreKit2: Bool { storeKit2Uses != nil }

    private var storeKit2Uses: ClientRemarks.Remark? { result.remarks.first { $0.kind == .storeKit2Use } }

    private var storeKit2: [DoctorFinding.Client] {
        guard let remark = storeKit2Uses else { return [] }
        let parts = Set(remark.subjects.compactMap { StoreKit2Use(rawValue: $0.name) })
        var findings = [DoctorFinding.Client.usesStoreKit2(remark)]
        if !parts.contains(.updates) {
            findings.append(.neverReadsUpdates)
        } else {
            if let late = evidence(.unobservedLaunch) { findings.append(.listensTooLate(sentence: late.sentence)) }
            if let deaf = evidence(.deafListener) { findings.append(.stopsListening(sentence: deaf.sentence)) }
        }
        if parts.isDisjoint(with: [.unfinished, .entitlements]) { findings.append(.neverReadsRecord) }
        if let unverified { findings.append(.foundOfUnverified(rulesFoundOnly(in: unverified))) }
        return findings
    }

    private func rulesFoundOnly(in other: RunResult) -> [DoctorFinding.RuleCount] {
        let known = result.collector.countsByRule
        let counts = other.collector.countsByRule
        return AuditRule.allCases.compactMap { rule in
            guard rule.severity > .info, known[rule] == nil, let count = counts[rule] else { return nil }
            return DoctorFinding.RuleCount(rule.rawValue, count)
        }
    }

    private var outside: [DoctorFinding.Client] {
        report.host.notes.map { .noted($0, isObstacle: obstacles.contains($0)) }
    }

    /// Not doctor's business, and what its reader wants to know next.
    private var found: DoctorFinding.Client {
        let rules = report.violations.byRule.sorted { $0.severity > $1.severity }
        return rules.isEmpty ? .foundNothing : .found(rules.map { DoctorFinding.RuleCount($0.rule, $0.count) })
    }

    private func count(_ rule: AuditRule) -> Int {
        report.violations.byRule.first { $0.rule == rule.rawValue }?.count ?? 0
    }

    private func evidence(_ rules: AuditRule...) -> Report.Evidence? {
        report.evidence.first { evidence in rules.contains { $0.rawValue == evidence.rule } }
    }
}
