// Ways to say less in a scenario: every one makes it smaller or plainer, and knows nothing of whether it still works.
// Pure; any thread.

import Foundation
import Scenario

/// A scenario made simpler in one place.
struct ShrinkMove {
    let outline: ScenarioOutline
    /// What was done, in words for the person who watches.
    let words: String
    /// What the scenario then costs, counted once: moves are sorted by it.
    let cost: Int

    init(outline: ScenarioOutline, words: String) {
        self.outline = outline
        self.words = words
        cost = outline.cost
    }
}

extension ScenarioOutline {
    /// Every simplification, those that take away most first.
    var moves: [ShrinkMove] {
        var moves: [ShrinkMove] = []
        collect("", { $0 }, &moves)
        return moves.sorted { $0.cost < $1.cost }
    }

    /// What a simplification has to lower: parts count most, then how much is left to chance, then sizes.
    var cost: Int {
        switch self {
        case .scalar(let text): return 100 + Self.scalarCost(text)
        case .list(let items): return items.reduce(100) { $0 + $1.cost }
        case .mapping(let entries): return entries.reduce(100) { $0 + 100 + $1.value.cost }
        }
    }

    private static func scalarCost(_ text: String) -> Int {
        if text.contains("..") { return 90 }
        // A crash somewhere is worth less than a crash at a place that can be looked at.
        if text == "any_effect" { return 400 }
        // What always happens is plainer than what happens sometimes.
        if text.hasSuffix("%") { return text == "100%" ? 0 : 60 }
        guard let number = leadingNumber(text) else { return 0 }
        return min(50, Int(log2(Double(number) + 1) * 2)) + (text.count > 4 ? 1 : 0)
    }

    private static func leadingNumber(_ text: String) -> Int? {
        Int(text.prefix { $0.isNumber || $0 == "_" }.filter { $0 != "_" })
    }

    private func collect(
        _ path: String, _ rebuilt: (ScenarioOutline) -> ScenarioOutline, _ moves: inout [ShrinkMove]
    ) {
        for (simpler, words) in plainer() {
            moves.append(ShrinkMove(outline: rebuilt(simpler), words: "\(path.isEmpty ? "the file" : path): \(words)"))
        }
        switch self {
        case .scalar: break
        case .list(let items):
            collectPieces(items, path, rebuilt, &moves)
            for (place, item) in items.enumerated() {
                func replacing(_ with: [ScenarioOutline]) -> ScenarioOutline {
                    rebuilt(.list(Array(items[..<place]) + with + Array(items[(place + 1)...])))
                }
                for (steps, words) in item.unwrapped() {
                    moves.append(ShrinkMove(outline: replacing(steps), words: "\(path)[\(place)]: \(words)"))
                }
                item.collect("\(path)[\(place)]", { replacing([$0]) }, &moves)
            }
        case .mapping(let entries):
            // What the app's own servers answer is the world it lives in: without them it breaks in another way.
            for (place, entry) in entries.enumerated() where !path.isEmpty || entry.key != "http" {
                let here = path.isEmpty ? entry.key : "\(path).\(entry.key)"
                if entries.count > 1 {
                    var fewer = entries
                    fewer.remove(at: place)
                    moves.append(ShrinkMove(outline: rebuilt(.mapping(fewer)), words: "without \(here)"))
                }
                entry.value.collect(
                    here,
                    { value in
                        var changed = entries
                        changed[place].value = value
                        return rebuilt(.mapping(changed))
                    }, &moves)
            }
        }
    }

    /// A list without some of its items: halves, quarters, and so on down to single ones.
    private func collectPieces(
        _ items: [ScenarioOutline], _ path: String, _ rebuilt: (ScenarioOutline) -> ScenarioOutline,
        _ moves: inout [ShrinkMove]
    ) {
        var size = items.count / 2
        while size > 0 {
            for start in stride(from: 0, to: items.count, by: size) where items.count > size {
                let end = min(items.count, start + size)
                let words = end - start == 1 ? "\(path)[\(start)]" : "\(path)[\(start)] to [\(end - 1)]"
                moves.append(
                    ShrinkMove(
                        outline: rebuilt(.list(Array(items[..<start]) + Array(items[end...]))),
                        words: "without \(words)"))
            }
            size /= 2
        }
    }

    // MARK: In place

    /// The same thing with less chance or in smaller numbers.
    private func plainer() -> [(ScenarioOutline, String)] {
        switch self {
        case .scalar(let text): return Self.plainer(text).map { (.scalar($0), "\(text) → \($0)") }
        case .list: return []
        case .mapping(let entries):
            var found: [(ScenarioOutline, String)] = []
            // A distribution by one of its numbers.
            for entry in entries where ["median", "mean"].contains(entry.key) {
                if case .scalar(let text) = entry.value { found.append((entry.value, "always \(text)")) }
            }
            if let wanted = self["choose"], case .mapping(let weights) = wanted {
                let others = entries.filter { $0.key != "choose" }
                found += weights.map {
                    (.mapping([Entry("product", .scalar($0.key))] + others), "always \($0.key)")
                }
            }
            // Values with weights, of which one is left.
            if entries.count == 1, case .scalar(let share) = entries[0].value, share.hasSuffix("%") {
                found.append((.scalar(entries[0].key), "always \(entries[0].key)"))
            }
            if entries.count == 1, let product = self["product"] { found.append((product, "short form")) }
            if self["at"] == .scalar("any_effect") {
                found += (1...40).map { number in
                    // Of a launch; what the app has done by then is a few dozen effects.
                    let effect = ScenarioOutline.mapping([Entry("effect", .scalar("\(number)"))])
                    return (
                        .mapping([Entry("share", .scalar("100%")), Entry("at", effect)]),
                        "always at effect \(number)"
                    )
                }
            }
            return found
        }
    }

    private static func plainer(_ text: String) -> [String] {
        if let dots = text.firstRange(of: "..") {
            return [text[..<dots.lowerBound], text[dots.upperBound...]].map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        if text.hasSuffix("%") { return text == "100%" ? [] : ["100%"] }
        guard let number = leadingNumber(text), number > 0 else { return [] }
        let unit = text.drop { $0.isNumber || $0 == "_" }
        // A number with anything but a plain unit behind it is not to be guessed at.
        guard unit.allSatisfy(\.isLetter), unit.count <= 2 else { return [] }
        let smaller = [0, 1, 2, number / 10, number / 2].filter { $0 < number }
        var found = Set(smaller).sorted().map { $0 == 0 ? "0" + (unit.isEmpty ? "" : "s") : "\($0)\(unit)" }
        if unit == "m" || unit == "h" || unit == "d" { found.append("1s") }
        return found
    }

    // MARK: Steps

    /// The steps that a step holds, in its place.
    private func unwrapped() -> [([ScenarioOutline], String)] {
        guard case .mapping(let entries) = self, entries.count == 1, let only = entries.first else { return [] }
        switch (only.key, only.value) {
        case ("repeat", .mapping):
            guard case .list(let steps)? = only.value["steps"] else { return [] }
            return [(steps, "once")]
        case ("together", .list(let steps)), ("on_other_device", .list(let steps)):
            return [(steps, "without \(only.key)")]
        case ("choose", .list(let branches)):
            return branches.compactMap { branch in
                guard case .list(let steps)? = branch["steps"] else { return nil }
                return (steps, "always one branch")
            }
        default: return []
        }
    }
}
