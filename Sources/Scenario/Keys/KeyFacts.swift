// What is said of one key of a scenario, once: from it follow what the reader takes, what the schema tells editors, the
// tables in the guide, and what chance draws.
// Plain values; any thread.

package struct KeyFacts: Sendable {
    package let name: String
    /// How its values are written, briefly: `duration`, `share`, or the words to choose from.
    package let kind: String
    /// What it is, in a sentence without its kind and its default.
    package let meaning: String
    /// For the schema. Made when it is asked for: what only reads has no use for it.
    private let schema: @Sendable () -> SchemaValue
    package var isRequired = false
    /// Where the behaviour is documented, such as R23.
    package var rule: String?
    /// As it is written; nil: without the key nothing of it happens.
    package var standard: String?
    var drawing = KeyDrawing.byKind
    /// A value that it may have, for a hint where the key is missing; nil where that takes more than a word.
    var example: String?

    init(
        _ name: String, _ schema: @autoclosure @escaping @Sendable () -> SchemaValue, _ kind: String, _ meaning: String,
        required: Bool = false,
        rule: String? = nil, default standard: String? = nil, drawing: KeyDrawing = .byKind, example: String? = nil
    ) {
        self.name = name
        self.schema = schema
        self.kind = kind
        self.meaning = meaning
        isRequired = required
        self.rule = rule
        self.standard = standard
        self.drawing = drawing
        self.example = example
    }

    /// How its values are spelled, where that takes a sentence.
    private var spelling: String? {
        switch kind {
        case "duration": ScenarioSchema.aDuration
        case "durations": ScenarioSchema.someDurations
        case "share": ScenarioSchema.aShare
        default: nil
        }
    }

    /// For people: what it is, how it is spelled, and what counts where it is left out.
    package var sentence: String {
        var sentence = meaning
        if let spelling { sentence += " " + spelling }
        if let standard { sentence += " Default: \(standard)." }
        if let rule { sentence += " Rule \(rule)." }
        return sentence
    }

    /// The same, where it need not be there.
    var optional: KeyFacts {
        var copy = self
        copy.isRequired = false
        return copy
    }

    /// For the schema.
    var field: SchemaValue.Field {
        SchemaValue.Field(name: name, value: schema(), isRequired: isRequired, meaning: sentence, drawing: drawing)
    }
}

/// What chance needs to know of a key beyond the kind of its value.
enum KeyDrawing: Sendable {
    /// Nothing: any value that the schema allows.
    case byKind
    /// How long what it is about lasts.
    case lasting(TimeScale)
    /// In percent. What fails at every turn leaves nothing to look at.
    case shares([Int])
    /// Some products only.
    case products(@Sendable (DrawnShop) -> [String])
    /// It depends on other keys, on the shop or on the number of users. Nil: it is left out of this scenario.
    case drawn(@Sendable (inout DrawingPen) -> ScenarioOutline?)
    /// It is not drawn, for this reason.
    case leftOut(String)
}

/// A section of a scenario as its keys stand in documents.
package struct SectionFacts: Sendable {
    /// Such as `store.behaviour`; `[]` stands for any item of a list, and nothing for the top of the file.
    package let path: String
    package let keys: [KeyFacts]
}
