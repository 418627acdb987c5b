// What a mangled name of Swift stands for, and in which module that is defined.
// Pure; any thread.

internal import CStatics
internal import Foundation

/// A variable's name in the symbol table.
enum VariableName: Equatable {
    /// A stored variable, a part of one, or the token of a variable that is made at its first use.
    case stored(module: String)
    /// An object that the compiler has built: it begins with the token.
    case object(module: String)
    /// Metadata, or a cache of the runtime's: the same for everybody.
    case runtime
    /// Swift's, and of no kind that is known.
    case unplaced(module: String?)
    /// Not Swift's.
    case other

    init(_ name: String) {
        guard name.hasPrefix("$s") || name.hasPrefix("$S") else {
            // Words that others have in front of a name, `got.` and `symbolic `; and the objects of a program's own code
            // outside functions, which runs once.
            let isRuntimes = name.contains("$s") || name.hasPrefix("symbolic ") || Self.ownerOfObject(name[...]) != nil
            self = isRuntimes ? .runtime : .other
            return
        }
        // What follows a point tells the parts of a split variable apart.
        let mangled = name.prefix { $0 != "." }
        if mangled.hasSuffix("vp") || mangled.hasSuffix("vpZ") {
            self = Self.module(of: String(mangled)).map { .stored(module: $0) } ?? .unplaced(module: nil)
        } else if mangled.hasSuffix("Wz") || mangled.hasSuffix("WZ") {
            self = Self.moduleOfToken(mangled.dropLast(2)).map { .stored(module: $0) } ?? .unplaced(module: nil)
        } else if let owner = Self.ownerOfObject(mangled) {
            let isToken = owner.hasSuffix("WZ") || owner.hasSuffix("Wz")
            let module = isToken ? Self.moduleOfToken(owner.dropLast(2)) : Self.module(of: String(owner))
            self = (module ?? Self.leadingModule(of: mangled)).map { .object(module: $0) } ?? .unplaced(module: nil)
        } else if Self.isRuntimes(mangled) || Self.isRuntimes(name[...]) {
            self = .runtime
        } else {
            self = .unplaced(module: Self.module(of: String(mangled)))
        }
    }

    /// Metadata, its caches, descriptors, conformances, witness tables and what of these is made when first used.
    private static let runtimeSuffixes: Set<String> = [
        "N", "Mf", "Mn", "Mm", "Ma", "ML", "MD", "MK", "MI", "MP", "MF", "MV", "Mp", "Mc", "Mo", "MR", "MB", "MA", "MM",
        "Ml", "Mr", "MXX", "MXM", "MXE", "MJ", "MQ", "MS", "Mz", "MN", "Mq", "WL", "WP", "Wp", "WG", "Wa", "WV", "WI",
        "WOh", "Wl", "WT", "Wvd", "Tl", "TL", "Tq", "Tn", "Tb", "TK", "Tk", "Hc", "Hn", "Hr", "Ho", "HP", "HF", "Tu",
        "TX", "TWR", "Twc", "HC",
    ]

    /// Looked up by their lengths: this is asked of very many names.
    private static func isRuntimes(_ name: Substring) -> Bool {
        (1...3).contains { runtimeSuffixes.contains(String(name.suffix($0))) }
    }

    /// The mangled name before `Tv_`, `Tv0_`, `Tv_r` and their like.
    private static func ownerOfObject(_ mangled: Substring) -> Substring? {
        var rest = mangled
        if rest.hasSuffix("_r") { rest = rest.dropLast() }
        guard rest.hasSuffix("_") else { return nil }
        rest = rest.dropLast()
        while let last = rest.last, last.isASCII, last.isNumber { rest = rest.dropLast() }
        return rest.hasSuffix("Tv") ? rest.dropLast(2) : nil
    }

    /// The module that a name begins with: `$s4Shop…`. For objects whose owner has no name that can be read, such as a closure
    /// that the compiler has built.
    private static func leadingModule(of mangled: Substring) -> String? {
        let rest = mangled.dropFirst(2)
        guard let first = rest.first, first != "0", let length = Int(rest.prefix { $0.isASCII && $0.isNumber }) else {
            return nil
        }
        let name = rest.drop { $0.isASCII && $0.isNumber }.prefix(length)
        return name.count == length && name.utf8.allSatisfy(isInName) ? String(name) : nil
    }

    /// A token has the names of the variables that are made together, and no type: with one it reads as a variable.
    private static func moduleOfToken(_ names: Substring) -> String? {
        var rest = names.hasSuffix("_") ? names.dropLast() : names
        while !rest.isEmpty {
            if let module = module(of: rest + "Sivp") { return module }
            guard let separator = rest.lastIndex(of: "_") else { return nil }
            rest = rest[..<separator]
        }
        return nil
    }

    private static func module(of mangled: String) -> String? {
        guard let text = stampede_demangle(mangled, mangled.utf8.count) else { return nil }
        defer { free(text) }
        let readable = String(cString: text)
        return readable == mangled ? nil : module(ofReadable: readable)
    }

    /// The module in which something is defined, by its demangled name: `static (extension in Shop):Swift.Int.count :
    /// Swift.Int`, `static n : Swift.Int in S #1 in Shop.f() -> ()`.
    static func module(ofReadable text: String) -> String? {
        var context = outermostContext(Array(text.utf8))
        // `static`, `conformance`
        while let space = context.firstIndex(of: UInt8(ascii: " ")), context[..<space].allSatisfy(isLowercase) {
            context = context[(space + 1)...]
        }
        let extended = Array("(extension in ".utf8)
        let name: ArraySlice<UInt8>
        if context.starts(with: extended) {
            name = context.dropFirst(extended.count).prefix { $0 != UInt8(ascii: ")") }
        } else {
            name = context.prefix { $0 != UInt8(ascii: ".") }
        }
        return !name.isEmpty && name.allSatisfy(isInName) ? String(decoding: name, as: UTF8.self) : nil
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }

    private static func isInName(_ byte: UInt8) -> Bool {
        isLowercase(byte) || byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// What is local stands before ` in `, what is made for something else before ` of `.
    static func outermostContext(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var start = 0
        var depth = 0
        for place in text.indices {
            switch text[place] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where place == 0 || text[place - 1] != UInt8(ascii: "-"): depth -= 1
            case UInt8(ascii: " ") where depth == 0:
                let rest = text[place...]
                if rest.starts(with: Self.inside) || rest.starts(with: Self.made) { start = place + 4 }
            default: break
            }
        }
        return text[start...]
    }

    private static let inside = Array(" in ".utf8)
    private static let made = Array(" of ".utf8)
}
