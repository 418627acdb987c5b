// Finds the lines between `#if` and `#endif` that Linux does not compile.
// Pure; any thread.

enum ConditionReader {
    /// Blocks that Linux certainly does not compile. A block that depends on a flag or a module may be compiled.
    static func excluded(in code: [String]) -> [SwiftSource.ExcludedBlock] {
        var found: [SwiftSource.ExcludedBlock] = []
        var open: [Block] = []
        for (index, line) in code.enumerated() {
            let text = String(line.drop { $0 == " " || $0 == "\t" })
            let number = index + 1
            if text.hasPrefix("#if ") || text.hasPrefix("#if(") {
                open.append(Block(text, number, Condition.value(of: String(text.dropFirst(3))), former: []))
            } else if text.hasPrefix("#elseif"), let last = open.popLast() {
                found += last.excluded(until: number)
                let value = Condition.value(of: String(text.dropFirst("#elseif".count)))
                open.append(Block(text, number, value, former: last.former + [last.value]))
            } else if text.hasPrefix("#else"), let last = open.popLast() {
                found += last.excluded(until: number)
                open.append(Block(last.text, number, true, former: last.former + [last.value], isElse: true))
            } else if text.hasPrefix("#endif"), let last = open.popLast() {
                found += last.excluded(until: number)
            }
        }
        return found.sorted { $0.line < $1.line }
    }

    private struct Block {
        let text: String
        let line: Int
        /// Nil if the condition depends on facts unknown here.
        let value: Bool?
        /// The values of the conditions before it.
        let former: [Bool?]
        let isElse: Bool

        init(_ text: String, _ line: Int, _ value: Bool?, former: [Bool?], isElse: Bool = false) {
            (self.text, self.line, self.value, self.former, self.isElse) = (text, line, value, former, isElse)
        }

        func excluded(until end: Int) -> [SwiftSource.ExcludedBlock] {
            guard value == false || former.contains(true) else { return [] }
            let condition = isElse ? "#else of \(text)" : text
            return [SwiftSource.ExcludedBlock(line: line, condition: condition, lines: (line + 1)..<end)]
        }
    }

    /// A condition on Linux: `os(iOS) || os(tvOS)` is false, `!os(macOS)` is true, and `DEBUG` is unknown.
    private struct Condition {
        private var tokens: ArraySlice<SwiftCode.Token>

        static func value(of text: String) -> Bool? {
            var condition = Condition(tokens: SwiftCode.tokens(of: [text])[...])
            return condition.alternatives()
        }

        private mutating func take(_ text: String) -> Bool {
            guard tokens.first?.text == text else { return false }
            tokens.removeFirst()
            return true
        }

        private mutating func take(_ sign: String, twice: Bool) -> Bool {
            guard tokens.count > 1, tokens.first?.text == sign, tokens.dropFirst().first?.text == sign else {
                return false
            }
            tokens.removeFirst(2)
            return true
        }

        private mutating func alternatives() -> Bool? {
            var value = conjunction()
            while take("|", twice: true) {
                let other = conjunction()
                value = value == true || other == true ? true : value == nil || other == nil ? nil : false
            }
            return value
        }

        private mutating func conjunction() -> Bool? {
            var value = term()
            while take("&", twice: true) {
                let other = term()
                value = value == false || other == false ? false : value == nil || other == nil ? nil : true
            }
            return value
        }

        private mutating func term() -> Bool? {
            if take("!") { return term().map { !$0 } }
            if take("(") {
                let value = alternatives()
                _ = take(")")
                return value
            }
            guard let name = tokens.popFirst()?.text else { return nil }
            if name == "true" || name == "false" { return name == "true" }
            guard take("(") else { return nil }
            let argument = tokens.prefix { $0.text != ")" }
            tokens = tokens.dropFirst(argument.count + 1)
            switch name {
            case "os": return argument.first?.text == "Linux"
            case "targetEnvironment": return false
            default: return nil
            }
        }
    }
}
