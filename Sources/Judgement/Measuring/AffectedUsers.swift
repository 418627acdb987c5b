// How many users something is wrong with, by rule.
// A value, owned by one collector.

import Files
import Metrics

/// Users are noted one after another: for the latest user, the rules found so far are known.
package struct AffectedUsers: Sendable {
    package private(set) var count = 0
    package private(set) var byRule: [FoundRule: Int] = [:]
    private var last: (user: Int, rules: [FoundRule]) = (-1, [])

    init() {}

    /// A breach of this user's app was found.
    mutating func note(_ user: Int, _ rule: FoundRule) {
        if last.user != user { last = (user, []) }
        if last.rules.contains(rule) { return }
        if rule.severity.isViolation, !last.rules.contains(where: \.severity.isViolation) { count += 1 }
        last.rules.append(rule)
        byRule[rule, default: 0] += 1
    }

    /// Adds another count. No user is in both.
    mutating func merge(_ other: AffectedUsers) {
        count += other.count
        for (rule, count) in other.byRule { byRule[rule, default: 0] += count }
    }

    /// Packs the counts and resets them; the latest user stays known.
    mutating func unload(into packer: inout Packer) {
        packer.put(count)
        packer.put(plain: byRule.map { PackedCounts.Rule($0.key, $0.value) })
        count = 0
        byRule.removeAll(keepingCapacity: true)
    }

    /// As another one has packed it.
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        count = try unpacker.number()
        for rule in try unpacker.plains(PackedCounts.Rule.self) { byRule[rule.rule] = rule.count }
    }
}
