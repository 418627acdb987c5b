// What the mangled name of a function stands for.
// Pure; any thread.

internal import CStatics
internal import Foundation

enum FunctionName {
    /// The Swift module that defines the function;
    /// nil for C functions, and for compiler-made functions without a module.
    static func module(of mangled: String) -> String? {
        demangled(mangled).flatMap { VariableName.module(ofReadable: $0) }
    }

    /// As it stands in code: `Shop.buy(_:quantity:)`, `a closure in Shop.start()`.
    static func readable(_ mangled: String) -> String {
        guard let text = demangled(mangled) else { return mangled }
        let name = withoutTypes(String(decoding: VariableName.outermostContext(Array(text.utf8)), as: UTF8.self))
        return text.contains("closure #") ? "a closure in " + name : name
    }

    /// How the mangled name of a method's descriptor ends.
    static let descriptorSuffix = "Tq"

    /// The class, with its module, and the method of a descriptor; nil for a private class, whose name has a number.
    static func describedMethod(_ mangled: String) -> (type: String, name: String)? {
        guard let text = demangled(String(mangled.dropLast(descriptorSuffix.count))), !text.contains(" in _"),
            let module = VariableName.module(ofReadable: text)
        else { return nil }
        let name = withoutTypes(text)
        guard let point = name.prefix(while: { $0 != "(" }).lastIndex(of: ".") else { return nil }
        return ("\(module).\(name[..<point])", String(name[name.index(after: point)...]))
    }

    /// Of a variable that holds an object of the type that it belongs to; nil of every other.
    static func singleton(_ mangled: String) -> DeviceData.Singleton? {
        guard let text = demangled(mangled), text.hasPrefix("static "), let colon = text.range(of: " : ") else {
            return nil
        }
        let name = text[..<colon.lowerBound].dropFirst("static ".count)
        let type = text[colon.upperBound...]
        guard name.hasPrefix(type + ".") else { return nil }
        // What is private has a number in its name, which no source has.
        let written = withoutTypes(text)
        guard let point = written.lastIndex(of: "."), point > written.startIndex else { return nil }
        return DeviceData.Singleton(
            type: String(written[..<point]), property: String(written[written.index(after: point)...]))
    }

    /// Of `Shop.Store.buy(_: Swift.Int) -> ()` what is left without module and types.
    private static func withoutTypes(_ text: String) -> String {
        var rest = text[...]
        if rest.hasPrefix("static ") { rest = rest.dropFirst("static ".count) }
        if rest.hasPrefix("(extension in ") { rest = rest.drop { $0 != ":" }.dropFirst() }
        rest = rest.drop { $0 != "." }.dropFirst()
        var name = ""
        while let next = rest.first, next != " " {
            switch next {
            case "(":
                let inside = group(&rest)
                // What is private has a number of its file with it.
                if let end = inside.range(of: " in _") {
                    name += inside[..<end.lowerBound]
                } else {
                    name += labels(inside)
                }
            case "<": _ = group(&rest)
            default: name.append(rest.removeFirst())
            }
        }
        return name
    }

    /// Takes what stands in brackets, without them.
    private static func group(_ rest: inout Substring) -> Substring {
        var depth = 0
        var previous: Character = " "
        for place in rest.indices {
            switch rest[place] {
            case "(", "<", "[": depth += 1
            case ")", "]": depth -= 1
            case ">" where previous != "-": depth -= 1
            default: break
            }
            previous = rest[place]
            if depth > 0 { continue }
            defer { rest = rest[rest.index(after: place)...] }
            return rest[rest.index(after: rest.startIndex)..<place]
        }
        defer { rest = rest[rest.endIndex...] }
        return rest.dropFirst()
    }

    /// `(_:quantity:)` of `_: Swift.String, quantity: Swift.Int`; of a getter or a function without any, nothing in between.
    private static func labels(_ parameters: Substring) -> String {
        var rest = parameters
        var labels = ""
        while !rest.isEmpty {
            let label = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            labels += (rest.dropFirst(label.count).first == ":" && !label.isEmpty ? label : "_") + ":"
            while let next = rest.first, next != "," {
                if "(<[".contains(next) { _ = group(&rest) } else { rest.removeFirst() }
            }
            rest = rest.dropFirst().drop { $0 == " " }
        }
        return "(" + labels + ")"
    }

    /// The name of a part of an asynchronous function is that of the whole and a suffix.
    private static func demangled(_ name: String) -> String? {
        guard name.hasPrefix("$s") || name.hasPrefix("$S") else { return nil }
        var mangled = name.prefix { $0 != "." }
        for part in ["TY", "TQ"] {
            guard mangled.hasSuffix("_"), let start = mangled.range(of: part, options: .backwards) else { continue }
            if mangled[start.upperBound...].dropLast().allSatisfy(\.isNumber) { mangled = mangled[..<start.lowerBound] }
        }
        if mangled.hasSuffix("TA") || mangled.hasSuffix("Tm") { mangled = mangled.dropLast(2) }
        let whole = String(mangled)
        guard let text = stampede_demangle(whole, whole.utf8.count) else { return nil }
        defer { free(text) }
        let readable = String(cString: text)
        return readable == whole ? nil : readable
    }
}
