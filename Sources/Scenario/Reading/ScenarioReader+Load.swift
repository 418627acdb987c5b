// The load: who begins which journey when, and how the users are divided among the entries.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// An entry with what is only known when it has been read.
    private struct Draft {
        let entry: EntryDraft
        let executor: any LoadExecutor
        let name: String
        /// Nil: there is no such journey, or it is not known which there are.
        let journey: Int?
        let position: SourcePosition
    }

    /// - Parameter population: nil when it could not be read; what depends on it is not checked then.
    func load(_ node: SourceNode, population: Int?) -> [LoadEntry]? {
        let items = items(node, "load", of: "load entries", max: ScenarioLimits.loadEntriesMax)
        guard let items else { return nil }
        let whole = items.enumerated().compactMap { draft($1, "load[\($0)]") }
        reportRepeatedNames(whole)
        // Neither waits for the other to be right, nor for the rest of the entries.
        let predecessors = names.load.flatMap { self.predecessors($0) }
        let users = population.flatMap { divide($0, among: whole, node) }
        guard whole.count == items.count, let predecessors, let users else { return nil }
        let entries = whole.enumerated().compactMap { place, draft -> LoadEntry? in
            guard let journey = draft.journey else { return nil }
            return LoadEntry(
                name: draft.name, journey: journey, users: users[place], executor: draft.executor,
                startAfter: draft.entry.startAfter, after: predecessors[place], gracefulStop: draft.entry.gracefulStop,
                tags: draft.entry.tags)
        }
        return entries.count == whole.count ? entries : nil
    }

    /// The names, journeys and tags of all entries; nil when one of them has no name that can be read.
    func entryOutlines(_ node: SourceNode) -> [EntryOutline]? {
        guard case .sequence(let items) = node.content, !items.isEmpty else { return nil }
        let outlines = items.enumerated().compactMap { place, item -> EntryOutline? in
            guard case .mapping = item.content, let entries = entries(item, "load[\(place)]") else { return nil }
            func word(_ key: String) -> String? {
                let node = entries.first { $0.key == key }?.value
                guard let node, !node.isNothing, case .scalar(let text, _) = node.content else { return nil }
                return text
            }
            guard let journey = word("journey"), let name = word("name") ?? word("journey") else { return nil }
            var tags: [String: String] = [:]
            if case .mapping(let given)? = entries.first(where: { $0.key == "tags" })?.value.content {
                for tag in given { if case .scalar(let text, _) = tag.value.content { tags[tag.key] = text } }
            }
            let after = entries.first { $0.key == "after" }?.value
            return EntryOutline(name: name, journey: journey, tags: tags, after: after)
        }
        return outlines.count == items.count ? outlines : nil
    }

    private func reportRepeatedNames(_ drafts: [Draft]) {
        var names: Set<String> = []
        for draft in drafts where !names.insert(draft.name).inserted {
            report(
                draft.position, "two load entries are called \(quoted(draft.name))",
                hint: "give one of them another name with the key 'name'")
        }
    }

    // MARK: One entry

    private func draft(_ node: SourceNode, _ path: String) -> Draft? {
        let common = KeySection.entry.facts.keys + KeySection.end.facts.keys
        let hint = Self.hint(for: node, path, of: common + LoadExecutors.keys)
        guard let entries = entries(node, path, hint: hint) else { return nil }
        let kind = entries.first { $0.key == KeySection.executor.name }.flatMap { executorKind($0.value, path) }
        let own = kind?.ownKeys ?? LoadExecutors.keys.map(\.optional)
        let others = LoadExecutors.keys.filter { key in !own.contains { $0.name == key.name } }
        // What a key should have been depends on the executor that was meant.
        let accepted =
            (kind ?? meantExecutor(entries)).map(Self.accepted(by:)) ?? (common + LoadExecutors.keys).map(\.name)
        if let kind { reportKeysOfOthers(entries, others, kind, path) }
        let known = common + own + others.map(\.optional)
        guard let nodes = fields(node, path, of: known, accepted: accepted) else { return nil }
        let executor = kind.flatMap {
            $0.read(EntryNodes(reader: self, nodes: nodes, path: path)) as (any LoadExecutor)?
        }
        var entry = fill(.entry, nodes, path)
        let gracefulStop = fill(.end, nodes, path)
        if let gracefulStop { entry?.gracefulStop = gracefulStop } else { entry = nil }
        if let kind, !kind.hasEnd, let node = nodes["graceful_stop"] {
            report(
                node.position, "\(kind.name) has no end, so graceful_stop cannot be used in \(path)",
                hint: "use \(PerUserIterations.name) with max_duration")
        }
        // Whatever else is wrong with the entry.
        if let journeys = names.journeys, let node = nodes["journey"], !node.isNothing,
            case .scalar(let name, _) = node.content, !journeys.contains(name)
        {
            report(
                node.position, "unknown journey \(quoted(name)) in \(path)",
                hint: Self.suggestion(name, among: journeys, called: "journeys"))
        }
        guard let entry else { return nil }
        let journey = names.journeys?.firstIndex(of: entry.journey)
        guard let executor, let position = (nodes["name"] ?? nodes["journey"])?.position else { return nil }
        return Draft(
            entry: entry, executor: executor, name: entry.name ?? entry.journey, journey: journey, position: position)
    }

    private func executorKind(_ node: SourceNode, _ path: String) -> (any LoadExecutor.Type)? {
        word(
            node, "\(path).executor", of: LoadExecutors.names, called: "executors", foreign: ForeignWords.executors
        ).flatMap(LoadExecutors.named)
    }

    /// The executor that a hint names for an unknown one.
    private func meantExecutor(_ entries: [SourceNode.Entry]) -> (any LoadExecutor.Type)? {
        let node = entries.first { $0.key == KeySection.executor.name }?.value
        guard case .scalar(let text, _)? = node?.content else { return nil }
        let foreign = ForeignMatch.all(of: text, in: ForeignWords.executors, accepting: LoadExecutors.names)
        return (foreign.first?.target.key ?? closestMatch(to: text, in: LoadExecutors.names))
            .flatMap(LoadExecutors.named)
    }

    /// The keys that entries of an executor can have.
    private static func accepted(by kind: any LoadExecutor.Type) -> [String] {
        (KeySection.entry.facts.keys + kind.everyKey).map(\.name)
    }

    private func reportKeysOfOthers(
        _ entries: [SourceNode.Entry], _ others: [KeyFacts], _ kind: any LoadExecutor.Type, _ path: String
    ) {
        for entry in entries where others.contains(where: { $0.name == entry.key }) {
            let meant = ForeignWords.hint(
                for: entry.key, in: ForeignWords.keys, accepting: Self.accepted(by: kind), given: entries.map(\.key))
            let own = "keys of \(kind.name): \(kind.ownKeys.map(\.name).joined(separator: ", "))"
            report(
                entry.keyPosition, "key '\(entry.key)' in \(path) is not a key of this executor",
                hint: (meant.map { $0 + "; " } ?? "") + own)
        }
    }

    /// Tags of one's own: names and plain texts.
    func tags(_ node: SourceNode, _ path: String) -> [String: String]? {
        var tags: [String: String] = [:]
        for entry in entries(node, path) ?? [] {
            if Self.reservedTags.contains(entry.key) {
                report(
                    entry.keyPosition, "every sample already has the tag \(quoted(entry.key))",
                    hint: "choose another name")
            } else if let name = identifier(entry.key, at: entry.keyPosition, path),
                let value = identifier(entry.value, "\(path).\(entry.key)")
            {
                tags[name] = value
            }
        }
        return tags
    }

    /// What the harness itself calls samples by.
    static let reservedTags =
        ["phase", "journey", "client", "device", "product"] + MetricLabel.allCases.map(\.rawValue)

    /// Which entries wait for which: for ones that stand before them, so that there are no cycles.
    private func predecessors(_ outlines: [EntryOutline]) -> [Int?]? {
        var isSound = true
        let places = outlines.enumerated().map { place, outline -> Int? in
            guard let node = outline.after else { return nil }
            let path = "load[\(place)].after"
            let found = text(node, path, as: "a load entry").flatMap { name -> Int? in
                if let found = outlines[..<place].firstIndex(where: { $0.name == name }) { return found }
                let isLater = outlines.contains { $0.name == name }
                report(
                    node.position,
                    isLater
                        ? "\(quoted(name)) does not stand above \(path)"
                        : "unknown load entry \(quoted(name)) in \(path)",
                    hint: isLater
                        ? "an entry can only wait for an entry above it"
                        : Self.suggestion(name, among: outlines[..<place].map(\.name), called: "entries above"))
                return nil
            }
            if found == nil { isSound = false }
            return found
        }
        return isSound ? places : nil
    }

    /// A name that may stand in paths and reports.
    func identifier(_ node: SourceNode, _ path: String) -> String? {
        text(node, path, as: "a name").flatMap { identifier($0, at: node.position, path) }
    }

    func identifier(_ name: String, at position: SourcePosition, _ path: String) -> String? {
        let isPlain = name.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
        guard isPlain, !name.isEmpty, name.utf8.count <= ScenarioLimits.nameLengthMax else {
            report(
                position, "\(quoted(name)) cannot be a name\(Self.place(path))",
                hint: "letters, digits, - and _, at most \(ScenarioLimits.nameLengthMax)")
            return nil
        }
        return name
    }

    // MARK: Users

    /// Entries take disjoint users; those that name no number share equally what the others leave. Too many are so even
    /// when further entries could not be read.
    private func divide(_ population: Int, among drafts: [Draft], _ node: SourceNode) -> [Int]? {
        let named = drafts.compactMap(\.executor.users).reduce(0, +)
        let open = drafts.count { $0.executor.users == nil }
        guard named <= population else {
            report(
                node.position,
                "the load needs \(ValueParser.grouped(Int64(named))) users, and population.users is "
                    + ValueParser.grouped(Int64(population)),
                hint: "every entry needs its own users: raise population.users, or lower users and max_users")
            return nil
        }
        let left = population - named
        guard left >= open else {
            let position = drafts.first { $0.executor.users == nil }?.position ?? node.position
            report(
                position, "\(left) of \(population) users are left for \(open) load entries without a number of users",
                hint: "raise population.users, or lower users and max_users of the other entries")
            return nil
        }
        var place = 0
        return drafts.map { draft in
            if let users = draft.executor.users { return users }
            place += 1
            return left / open + (place <= left % open ? 1 : 0)
        }
    }
}
