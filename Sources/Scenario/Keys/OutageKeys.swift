// Outages of the store and of the receipt validator: what an item holds depends on its answer.
// Constants; any thread.

import Simulation
import Text

/// An outage while its item is read.
struct OutageDraft: Sendable {
    enum Answer: String, Sendable, CaseIterable {
        case error, timeout, slow
    }

    var start = Instant.start
    var duration = Span.zero
    var answer = Answer.error
    /// How much later answers come, of slow ones.
    var delay = Span.seconds(5)

    var outage: StoreOutage {
        let answer: StoreOutage.Answer =
            switch answer {
            case .error: .error
            case .timeout: .timeout
            case .slow: .slow(by: delay)
            }
        return StoreOutage(start: start, duration: duration, answer: answer)
    }
}

extension KeySection<OutageDraft> {
    static let outage = KeySection(
        "store.outages[]", OutageDraft(),
        [
            .instant("at", \.start, "When the outage starts, from the start of the run.", required: true),
            .duration("for", \.duration, "How long the outage lasts.", zero: .refused, required: true),
            .choice(
                "answer", \.answer,
                "error: every request fails; timeout: no request is answered; slow: answers are late by `by`.",
                called: "answers", required: true),
            .duration("by", \.delay, "With `answer: slow`: how late answers are.", zero: .refused),
        ])

    /// Of an item, what it holds by its answer.
    static let outageSchema: SchemaValue = {
        let fields = Dictionary(uniqueKeysWithValues: outage.facts.keys.map { ($0.name, $0.field) })
        guard let answer = fields["answer"], let at = fields["at"], let duration = fields["for"],
            let delay = fields["by"]
        else { preconditionFailure("an outage has four keys") }
        return .variants(
            by: answer, common: [at, duration],
            cases: OutageDraft.Answer.allCases.map {
                SchemaValue.Variant(name: $0.rawValue, fields: $0 == .slow ? [delay] : [])
            })
    }()
}

extension ScenarioReader {
    /// Those of the store, or of the receipt validator.
    func outages(_ node: SourceNode, _ path: String) -> [StoreOutage]? {
        let items = items(node, path, of: "outages", max: ScenarioLimits.outagesMax)
        return all(items, path) { item, path in
            defer { reportDelay(item, path) }
            return read(.outage, item, path)?.outage
        }
    }

    /// Only slow answers have one.
    private func reportDelay(_ item: SourceNode, _ path: String) {
        guard let by = Self.value("by", in: item), case .scalar(let word, _)? = Self.value("answer", in: item)?.content,
            let answer = OutageDraft.Answer(rawValue: word), answer != .slow
        else { return }
        report(
            by.position, "'by' in \(path) has no effect when the answer is '\(word)'", hint: "answer: slow")
    }
}

extension ScenarioKey {
    /// A list of outages.
    static func outages(_ name: String, _ path: Path<[StoreOutage]>, _ meaning: String) -> ScenarioKey {
        value(KeyFacts(name, .reference("outages"), "list", meaning), path) { $0.outages($1, $2) }
    }
}
