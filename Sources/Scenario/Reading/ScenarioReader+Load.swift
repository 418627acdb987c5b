// The load: who begins which journey when, and how the users are divided among the entries.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// What others know a load entry by, whatever may be wrong with the rest of it.
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

    /// An entry before its users are known.
    private struct Draft {
        let name: String
        /// Nil: there is no such journey, or it is not known which there are.
        let journey: Int?
        /// Nil: a part of what the others leave.
        let users: Int?
        let executor: any LoadExecutor
        let startAfter: Span
        let gracefulStop: Span?
        let tags: [String: String]
        let position: SourcePosition
    }

    /// `journeys`, by name in the order of the file, and `population` are nil when they could not be read; what depends
    /// on them is not checked then.
    func load(_ node: SourceNode, journeys: [String]?, population: Int?) -> [LoadEntry]? {
        let items = items(node, "load", of: "load entries", max: ScenarioLimits.loadEntriesMax)
        guard let items else { return nil }
        let drafts = items.enumerated().map { draft($1, "load[\($0)]", journeys: journeys) }
        let whole = drafts.compactMap { $0 }
        reportRepeatedNames(whole)
        // Neither waits for the other to be right, nor for the rest of the entries.
        let predecessors = entryOutlines(node).flatMap { self.predecessors($0) }
        let users = population.flatMap { divide($0, among: whole, node) }
        guard whole.count == items.count, let predecessors, let users else { return nil }
        let entries = whole.indices.compactMap { place -> LoadEntry? in
            let draft = whole[place]
            guard let journey = draft.journey else { return nil }
            return LoadEntry(
                name: draft.name, journey: journey, users: users[place], executor: draft.executor,
                startAfter: draft.startAfter, after: predecessors[place], gracefulStop: draft.gracefulStop,
                tags: draft.tags)
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

    private static let commonKeys = [
        "name", "journey", "executor", "start_after", "after", ExecutorKey.gracefulStop.name, "tags",
    ]
    private static let knownKeys = commonKeys + LoadExecutors.keyNames
    private static let requiredKeys = ["journey", "executor"]

    private func draft(_ node: SourceNode, _ path: String, journeys: [String]?) -> Draft? {
        let hint = Self.hint(for: node, path, known: Self.knownKeys, required: Self.requiredKeys)
        guard let entries = entries(node, path, hint: hint) else { return nil }
        let kind = entries.first { $0.key == "executor" }.flatMap { executorKind($0.value, path) }
        if let kind { reportKeysOfOthers(entries, kind, path) }
        let missing = Self.requiredKeys + (kind?.keys.filter(\.isRequired).map(\.name) ?? [])
        guard let nodes = fields(node, path, known: Self.knownKeys, required: missing) else { return nil }
        let fields = ExecutorFields(reader: self, nodes: nodes, path: path)
        let users = usersKey(fields)
        let startAfter = nodes["start_after"].map { span($0, "\(path).start_after") } ?? .zero
        let gracefulStop = fields.read(.gracefulStop)
        let tags = nodes["tags"].map { self.tags($0, "\(path).tags") } ?? [:]
        let executor: (any LoadExecutor)? = kind.flatMap { $0.init(fields) }
        if let kind, !kind.hasEnd, nodes[ExecutorKey.gracefulStop.name] != nil {
            fields.report(
                ExecutorKey.gracefulStop,
                "\(kind.name) has no end that \(ExecutorKey.gracefulStop.name) could count from in \(path)",
                hint: "use \(PerUserIterations.name) with \(ExecutorKey.maxDuration.name)")
        }
        let journeyName = nodes["journey"].flatMap { text($0, "\(path).journey", as: "a journey") }
        let name = nodes["name"].map { identifier($0, "\(path).name") } ?? journeyName
        guard let journeyNode = nodes["journey"], let journeyName else { return nil }
        let journey = journeys?.firstIndex(of: journeyName)
        if let journeys, journey == nil {
            report(
                journeyNode.position, "unknown journey \(quoted(journeyName)) in \(path)",
                hint: Self.suggestion(journeyName, among: journeys, called: "journeys"))
        }
        guard let name, let startAfter, let executor, users.isRead,
            gracefulStop != nil || nodes[ExecutorKey.gracefulStop.name] == nil
        else { return nil }
        return Draft(
            name: name, journey: journey, users: executor.users ?? users.count, executor: executor,
            startAfter: startAfter, gracefulStop: gracefulStop, tags: tags,
            position: nodes["name"]?.position ?? journeyNode.position)
    }

    private func executorKind(_ node: SourceNode, _ path: String) -> (any LoadExecutor.Type)? {
        word(node, "\(path).executor", of: LoadExecutors.names, called: "executors").flatMap(LoadExecutors.named)
    }

    private func reportKeysOfOthers(
        _ entries: [SourceNode.Entry], _ kind: any LoadExecutor.Type, _ path: String
    ) {
        let own = kind.keys.map(\.name)
        for entry in entries where LoadExecutors.keyNames.contains(entry.key) && !own.contains(entry.key) {
            report(
                entry.keyPosition, "key '\(entry.key)' in \(path) is not one of this executor's",
                hint: "keys of \(kind.name): \(own.joined(separator: ", "))")
        }
    }

    /// Tags of one's own: names and plain texts.
    private func tags(_ node: SourceNode, _ path: String) -> [String: String] {
        var tags: [String: String] = [:]
        for entry in entries(node, path) ?? [] {
            if Self.reservedTags.contains(entry.key) {
                report(
                    entry.keyPosition, "every sample has the tag \(quoted(entry.key)) already",
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
    static let reservedTags = ["phase", "journey", "client", "device", "product", "rule", "kind"]

    /// Which entries wait for which: for ones that stand before them, so that nobody waits for themselves.
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
                        ? "\(quoted(name)) does not stand before \(path)"
                        : "unknown load entry \(quoted(name)) in \(path)",
                    hint: isLater
                        ? "an entry waits for one that is written above it"
                        : Self.suggestion(name, among: outlines[..<place].map(\.name), called: "entries above"))
                return nil
            }
            if found == nil { isSound = false }
            return found
        }
        return isSound ? places : nil
    }

    private func usersKey(_ fields: ExecutorFields) -> (isRead: Bool, count: Int?) {
        guard let key = ExecutorKey.userCounts.first(where: { fields.nodes[$0.name] != nil }) else {
            return (true, nil)
        }
        let count = fields.read(key)
        return (count != nil, count)
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
        let named = drafts.compactMap(\.users).reduce(0, +)
        let open = drafts.count { $0.users == nil }
        guard named <= population else {
            report(
                node.position,
                "the load needs \(ValueParser.grouped(Int64(named))) users, and population.users is "
                    + ValueParser.grouped(Int64(population)),
                hint: "entries take different users: raise population.users, or lower users and max_users")
            return nil
        }
        let left = population - named
        guard left >= open else {
            let position = drafts.first { $0.users == nil }?.position ?? node.position
            report(
                position, "\(left) of \(population) users are left for \(open) load entries that name no number",
                hint: "raise population.users, or lower users and max_users of the other entries")
            return nil
        }
        var place = 0
        return drafts.map { draft in
            if let users = draft.users { return users }
            place += 1
            return left / open + (place <= left % open ? 1 : 0)
        }
    }
}
