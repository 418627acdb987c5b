// What is said of one key of a scenario, once: from it follow what the reader takes, what the schema tells editors, the
// table in the guide, and what chance draws.
// Plain values; any thread.

package struct KeyFacts: Sendable {
    package let name: String
    /// What it is, in a sentence without its kind and its default.
    package let meaning: String
    /// How its values are written, briefly: `duration`, `share`, or the words to choose from.
    package let kind: String
    /// As it is written; nil: without the key nothing of it happens.
    package let standard: String?
    package let isRequired: Bool
    /// Where the behaviour is documented, such as R23.
    package let rule: String?
    let value: SchemaValue
    let drawing: KeyDrawing

    /// How its values are spelled, where that takes a sentence.
    private var spelling: String? {
        switch kind {
        case "duration": ScenarioSchema.aDuration
        case "durations": ScenarioSchema.someDurations
        case "share": ScenarioSchema.aShare
        default: nil
        }
    }

    /// For the schema.
    var field: SchemaValue.Field {
        var sentence = meaning
        if let spelling { sentence += " " + spelling }
        if let standard { sentence += " Default: \(standard)." }
        if let rule { sentence += " Rule \(rule)." }
        return isRequired
            ? SchemaValue.field(name, value, sentence) : SchemaValue.optional(name, value, sentence)
    }
}

/// What chance needs to know of a key beyond the kind of its value.
enum KeyDrawing: Sendable, Equatable {
    /// Nothing: any value that the schema allows.
    case byKind
    /// How long what it is about lasts.
    case lasting(TimeScale)
    /// In percent. What fails at every turn leaves nothing to look at.
    case shares([Int])
    /// It depends on other keys, on the shop or on the number of users: `DrawingPen` draws it.
    case byHand
    /// It is not drawn, for this reason.
    case leftOut(String)
}

/// A section of a scenario as its keys stand in documents.
package struct SectionFacts: Sendable {
    /// Such as `store.behaviour`; `[]` stands for any item of a list.
    package let path: String
    package let keys: [KeyFacts]
}
