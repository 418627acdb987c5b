// A word that users of other tools know, and what says the same here.
// Plain values; any thread.

/// One idea of other tools under all its names.
package struct ForeignWord: Sendable {
    package enum Tool: String, Sendable {
        case k6
        case locust = "Locust"
        case artillery = "Artillery"
        case gatling = "Gatling"
        case jmeter = "JMeter"
        case storeKit = "StoreKit"
        case storeKitTest = "StoreKit Test"
    }

    /// Spelled as there. Case, dashes and underscores do not count when a name is looked up.
    package let names: [String]
    package let tools: [Tool]
    /// What says it here, the best first: the first that a place accepts is the hint there.
    package let targets: [Target]
    private let plainNames: Set<String>

    package init(_ names: [String], of tools: Tool..., is targets: Target...) {
        self.names = names
        plainNames = Set(names.map(Self.plain))
        self.tools = tools
        self.targets = targets
    }

    /// A key or another word of ours, alone or with its value and the keys it needs beside it.
    package struct Target: Sendable, ExpressibleByStringLiteral {
        /// Such as `for`, or `executor: constant-users, for: 1m`.
        package let text: String
        /// What the hint adds, where the word alone does not say enough.
        package let note: String?

        package init(_ text: String, note: String? = nil) {
            self.text = text
            self.note = note
        }

        package init(stringLiteral text: String) { self.init(text) }

        /// The word that a place accepts or refuses.
        package var key: String { String(text.prefix { $0 != ":" }) }
        /// Whether the text is to be written as it stands.
        package var isWhole: Bool { text != key }
    }

    /// - Parameter plainName: as `plain` makes it.
    package func isCalled(_ plainName: String) -> Bool { plainNames.contains(plainName) }

    /// Without what tools spell differently: `maxVUs`, `max_vus` and `--max-vus` are one name.
    package static func plain(_ name: String) -> String {
        String(name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." && $0 != " " })
    }
}

/// What a foreign word leads to at one place.
struct ForeignMatch: Sendable {
    let target: ForeignWord.Target
    let tools: [ForeignWord.Tool]

    /// Where a name leads at a place that accepts these words: one match for each meaning of the name.
    static func all(
        of name: String, in words: [ForeignWord], accepting accepted: some Collection<String>
    ) -> [ForeignMatch] {
        var matches: [ForeignMatch] = []
        let plainName = ForeignWord.plain(name)
        for word in words where word.isCalled(plainName) {
            guard let target = word.targets.first(where: { accepted.contains($0.key) }) else { continue }
            if !matches.contains(where: { $0.target.text == target.text }) {
                matches.append(ForeignMatch(target: target, tools: word.tools))
            }
        }
        return matches
    }
}

extension ForeignWords {
    /// How to say a foreign word at a place; nil where the table does not know it, or has nothing for this place.
    ///
    /// - Parameters:
    ///   - accepted: the words that the place accepts.
    ///   - given: those that stand there already.
    static func hint(
        for name: String, in words: [ForeignWord], accepting accepted: [String], given: [String] = []
    ) -> String? {
        let matches = ForeignMatch.all(of: name, in: words, accepting: accepted)
        guard let first = matches.first else { return nil }
        if matches.count > 1 {
            let ours = matches.map { match in
                "'\(match.target.text)' (\(match.tools.map(\.rawValue).joined(separator: ", ")))"
            }
            return "did you mean \(ours.joined(separator: " or "))?"
        }
        let target = first.target
        if target.isWhole { return "write '\(target.text)'" + (target.note.map { ": \($0)" } ?? "") }
        if given.contains(target.key) {
            return "'\(target.key)' sets that here" + (target.note.map { ": \($0)" } ?? "")
        }
        return "did you mean '\(target.key)'?" + (target.note.map { " \($0)" } ?? "")
    }
}
