// What the parts of a scenario know of each other, whatever may be wrong with the rest of them.
// Plain values; any thread.

import Metrics
import Text

/// Nil where it could not be read: what depends on it is not checked then.
struct ScenarioNames {
    /// In the order of the file. A mistake in a step is no reason to say nothing of a journey that does not exist.
    var journeys: [String]?
    var load: [EntryOutline]?

    /// Names of the tags that load entries carry.
    var ownTags: [String] { Set((load ?? []).flatMap(\.tags.keys)).sorted() }
}

/// What others know a load entry by.
struct EntryOutline {
    let name: String
    let journey: String
    let tags: [String: String]
    let after: SourceNode?

    func carries(_ tag: MetricTag) -> Bool {
        switch tag.name {
        case "phase": name == tag.value
        case "journey": journey == tag.value
        default: tags[tag.name] == tag.value
        }
    }
}
