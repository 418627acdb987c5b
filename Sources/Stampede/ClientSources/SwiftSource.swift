// What a Swift file declares, as far as advice about a client needs it: types, methods and conditions of compilation.
// Pure; any thread.

struct SwiftSource {
    /// A class, another type, or an extension of one.
    struct TypeDeclaration: Equatable {
        /// With the types around it: `Outer.Inner`.
        let name: String
        let isClass: Bool
        let isExtension: Bool
        let inherited: [String]
    }

    struct Method: Equatable {
        let type: String
        /// As `paymentQueue(_:removedTransactions:)`.
        let name: String
        let line: Int
        let isOverride: Bool
        /// Whether Linux compiles it.
        let isCompiled: Bool
    }

    /// Lines that Linux does not compile, because of the condition that stands above them.
    struct ExcludedBlock: Equatable {
        /// Of the line with the condition.
        let line: Int
        /// As it is written: `#if os(iOS)`.
        let condition: String
        let lines: Range<Int>
    }

    let file: String
    /// Each line without comments and literals.
    let code: [String]
    private(set) var types: [TypeDeclaration] = []
    private(set) var methods: [Method] = []
    let excluded: [ExcludedBlock]

    init(file: String, text: String) {
        self.file = file
        code = SwiftCode.lines(of: text)
        excluded = ConditionReader.excluded(in: code)
        var reader = DeclarationReader(tokens: SwiftCode.tokens(of: code), excluded: excluded)
        reader.read()
        (types, methods) = (reader.types, reader.methods)
    }
}

/// Reads one token after the other; bodies of functions are passed over.
private struct DeclarationReader {
    let tokens: [SwiftCode.Token]
    let excluded: [SwiftSource.ExcludedBlock]
    private(set) var types: [SwiftSource.TypeDeclaration] = []
    private(set) var methods: [SwiftSource.Method] = []

    private var place = 0
    private var depth = 0
    /// The types around, each with the depth of what it declares.
    private var around: [(name: String, depth: Int)] = []

    init(tokens: [SwiftCode.Token], excluded: [SwiftSource.ExcludedBlock]) {
        (self.tokens, self.excluded) = (tokens, excluded)
    }

    private static let introducers: Set<String> = ["class", "struct", "enum", "actor", "extension", "protocol"]

    mutating func read() {
        while place < tokens.count {
            let token = tokens[place]
            let before = place > 0 ? tokens[place - 1].text : ""
            switch token.text {
            case "{": depth += 1
            case "}":
                depth -= 1
                if let last = around.last, depth < last.depth { around.removeLast() }
            case "func" where before != ".": readMethod()
            case let word where Self.introducers.contains(word) && before != "." && before != ":":
                readType(word)
            default: break
            }
            place += 1
        }
    }

    /// Ends at the brace that opens the type's body, or before what is no declaration of a type.
    private mutating func readType(_ introducer: String) {
        var at = place + 1
        var name = ""
        // `class func`, `class var`.
        guard at < tokens.count, tokens[at].isName,
            !["func", "var", "let", "override", "subscript"].contains(tokens[at].text)
        else { return }
        while at < tokens.count, tokens[at].isName || tokens[at].text == "." {
            if !name.isEmpty, tokens[at].isName, tokens[at - 1].text != "." { break }
            name += tokens[at].text
            at += 1
        }
        var inherited: [String] = []
        var (current, brackets, isListing) = ("", 0, false)
        while at < tokens.count, tokens[at].text != "{" {
            switch tokens[at].text {
            case "<", "(": brackets += 1
            case ">", ")": brackets -= 1
            case ":" where brackets == 0: isListing = true
            case "," where brackets == 0 && isListing:
                inherited.append(current)
                current = ""
            case "where" where brackets == 0:
                if isListing { inherited.append(current) }
                (current, isListing) = ("", false)
            case "}", ";": return
            case let text where isListing && brackets == 0 && (tokens[at].isName || text == "."): current += text
            default: break
            }
            at += 1
        }
        guard at < tokens.count else { return }
        if isListing { inherited.append(current) }
        // A module's name in front says nothing more.
        inherited = inherited.map { $0.hasPrefix("StoreKit.") ? String($0.dropFirst("StoreKit.".count)) : $0 }
        let whole = introducer == "extension" ? name : ((around.last.map { $0.name + "." } ?? "") + name)
        types.append(
            SwiftSource.TypeDeclaration(
                name: whole, isClass: introducer == "class", isExtension: introducer == "extension",
                inherited: inherited))
        depth += 1
        around.append((whole, depth))
        place = at
    }

    /// Ends behind the parameters.
    private mutating func readMethod() {
        let line = tokens[place].line
        guard let type = around.last, type.depth == depth, place + 1 < tokens.count, tokens[place + 1].isName else {
            return
        }
        var isOverride = false
        var back = place - 1
        while back >= 0, tokens[back].isName || tokens[back].text == ")" || tokens[back].text == "(" {
            if tokens[back].text == "override" { isOverride = true }
            // A modifier stands on the line of its method, or on one before that holds nothing else.
            if tokens[back].text == "}" { break }
            if tokens[back].line < line - 1 { break }
            back -= 1
        }
        var at = place + 2
        while at < tokens.count, tokens[at].text != "(" {
            if tokens[at].text == "{" { return }
            at += 1
        }
        var labels = ""
        var (brackets, isAtStart) = (0, true)
        while at < tokens.count {
            switch tokens[at].text {
            case "(", "[", "<", "{":
                brackets += 1
            case ")", "]", "}": brackets -= 1
            case ">" where tokens[at - 1].text != "-": brackets -= 1
            case "," where brackets == 1: isAtStart = true
            case let text where brackets == 1 && isAtStart && tokens[at].isName:
                labels += text + ":"
                isAtStart = false
            default: break
            }
            if brackets == 0 { break }
            at += 1
        }
        methods.append(
            SwiftSource.Method(
                type: type.name, name: "\(tokens[place + 1].text)(\(labels))", line: line, isOverride: isOverride,
                isCompiled: !excluded.contains { $0.lines.contains(line) }))
        place = at
    }
}
