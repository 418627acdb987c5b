// What is made to go wrong.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    // MARK: Faults

    func faults(_ node: SourceNode) -> (crashes: [CrashFault], delivery: DeliveryFaults) {
        guard let fields = fields(node, "faults", known: ["crash", "delivery"]) else { return ([], DeliveryFaults()) }
        let delivery = fields["delivery"].map { self.delivery($0) } ?? DeliveryFaults()
        return (fields["crash"].map { crashes($0) } ?? [], delivery)
    }

    private func crashes(_ crash: SourceNode) -> [CrashFault] {
        guard case .sequence = crash.content else { return [crashFault(crash, "faults.crash")].compactMap { $0 } }
        let items = items(crash, "faults.crash", of: "crashes", max: ScenarioLimits.crashFaultsMax) ?? []
        return items.enumerated().compactMap { crashFault($1, "faults.crash[\($0)]") }
    }

    private func delivery(_ node: SourceNode) -> DeliveryFaults {
        var faults = DeliveryFaults()
        let path = "faults.delivery"
        let known = [
            "batches", "order", "duplicate", "finish_delay", "finish_fails", "unanswered", "receipt_lag",
        ]
        guard let fields = fields(node, path, known: known) else { return faults }
        if let node = fields["batches"] {
            faults.batches = choice(node, "\(path).batches", called: "settings") ?? faults.batches
        }
        if let node = fields["order"] {
            faults.order = choice(node, "\(path).order", called: "settings") ?? faults.order
        }
        read(fields, "duplicate", of: path) { faults.duplicate = $0 }
        read(fields, "finish_fails", of: path) { faults.finishFails = $0 }
        read(fields, "unanswered", of: path) { faults.unanswered = $0 }
        if let node = fields["finish_delay"], let delay = spans(node, "\(path).finish_delay") {
            faults.finishDelay = delay
        }
        if let node = fields["receipt_lag"], let lag = spans(node, "\(path).receipt_lag") { faults.receiptLag = lag }
        return faults
    }

    private func crashFault(_ node: SourceNode, _ path: String) -> CrashFault? {
        let names = ["share", "at"]
        guard let fields = fields(node, path, known: names, required: names) else { return nil }
        let share = fields["share"].flatMap { self.share($0, "\(path).share") }
        let moment = fields["at"].flatMap { self.moment($0, "\(path).at") }
        guard let share, let moment else { return nil }
        return CrashFault(share: share, moment: moment)
    }

    private func moment(_ node: SourceNode, _ path: String) -> CrashFault.Moment? {
        if case .mapping = node.content {
            guard let fields = fields(node, path, known: ["effect"], required: ["effect"]) else { return nil }
            return fields["effect"].flatMap { count($0, "\(path).effect", in: 1...ScenarioLimits.effectMax) }
                .map { .effect($0) }
        }
        let words = ["any_effect", "before_finish", "after_charge", "during_restore"]
        switch word(node, path, of: words, called: "moments, besides {effect: n}") {
        case "any_effect": return .anyEffect
        case "before_finish": return .beforeFinish
        case "after_charge": return .afterCharge
        case "during_restore": return .duringRestore
        default: return nil
        }
    }
}
