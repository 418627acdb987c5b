// Typed reading of JSON objects, with a note of every mistake on the way.
// Owned by one parse.

import Text

/// A value of the file, or what is missing in it: by its path, such as `products[1].displayPrice`, and in the text.
struct Place {
    let path: String
    /// Where the value begins; of one that is missing, the object that it is missed in.
    let position: SourcePosition
}

/// An object of the file and where it stands.
struct CatalogFileObject {
    let place: Place
    private let values: [String: SourceNode]

    init(_ members: [SourceNode.Entry], at place: Place) {
        self.place = place
        values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    var path: String { place.path }

    /// Nil when the key is missing. Xcode writes null for some of what is not set, so null means the same.
    subscript(key: String) -> SourceNode? {
        guard let value = values[key], !value.isNothing else { return nil }
        return value
    }

    func place(_ key: String) -> Place {
        Place(path: path.isEmpty ? key : "\(path).\(key)", position: values[key]?.position ?? place.position)
    }
}

extension ProblemCollector {
    mutating func note(_ place: Place, _ message: String, _ hint: String) {
        report(place.position, "\(place.path): \(message)", hint: hint)
    }

    private mutating func expect(_ kind: String, _ place: Place, _ value: SourceNode, _ hint: String) {
        note(place, "expected \(kind), found \(value.shownAsJSON)", hint)
    }

    /// Nil when missing or not a string; only the second is a mistake.
    mutating func string(
        _ object: CatalogFileObject, _ key: String, _ hint: String = "write a string in quotes"
    ) -> String? {
        guard let value = object[key] else { return nil }
        if case .scalar(let text, isPlain: false) = value.content { return text }
        expect("a string", object.place(key), value, hint)
        return nil
    }

    /// A string that has to be there and to say something.
    mutating func requiredString(_ object: CatalogFileObject, _ key: String, _ hint: String) -> String? {
        guard object[key] != nil else {
            note(object.place(key), "missing", hint)
            return nil
        }
        guard let text = string(object, key, hint) else { return nil }
        if text.allSatisfy(\.isWhitespace) {
            note(object.place(key), "empty", hint)
            return nil
        }
        return text
    }

    mutating func bool(_ object: CatalogFileObject, _ key: String) -> Bool? {
        guard let value = object[key] else { return nil }
        switch value.content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default:
            expect("true or false", object.place(key), value, "write true or false, without quotes")
            return nil
        }
    }

    /// Nil when missing, not a whole number, or out of `range`.
    mutating func integer(
        _ object: CatalogFileObject, _ key: String, in range: ClosedRange<Int>, required: Bool
    ) -> Int? {
        let hint = "write a whole number from \(range.lowerBound) to \(range.upperBound), without quotes"
        guard let value = object[key] else {
            if required { note(object.place(key), "missing", hint) }
            return nil
        }
        guard case .scalar(let text, isPlain: true) = value.content, let number = Int(text) else {
            expect("a whole number", object.place(key), value, hint)
            return nil
        }
        guard range.contains(number) else {
            note(object.place(key), "\(number) is out of range", hint)
            return nil
        }
        return number
    }

    mutating func object(_ object: CatalogFileObject, _ key: String) -> CatalogFileObject? {
        object[key].flatMap { self.object($0, at: object.place(key)) }
    }

    /// The objects of an array; empty when it is missing. Elements of another kind are mistakes and left out.
    mutating func objects(_ object: CatalogFileObject, _ key: String) -> [CatalogFileObject] {
        var objects: [CatalogFileObject] = []
        for (place, element) in elements(object, key) {
            if let found = self.object(element, at: place) { objects.append(found) }
        }
        return objects
    }

    private mutating func object(_ value: SourceNode, at place: Place) -> CatalogFileObject? {
        if case .mapping(let members) = value.content { return CatalogFileObject(members, at: place) }
        expect("an object", place, value, "write an object in braces")
        return nil
    }

    /// The strings of an array, each with where it stands; the same for them.
    mutating func strings(_ object: CatalogFileObject, _ key: String) -> [(place: Place, text: String)] {
        var strings: [(place: Place, text: String)] = []
        for (place, element) in elements(object, key) {
            if case .scalar(let text, isPlain: false) = element.content {
                strings.append((place, text))
            } else {
                expect("a string", place, element, "write a string in quotes")
            }
        }
        return strings
    }

    private mutating func elements(
        _ object: CatalogFileObject, _ key: String
    ) -> [(place: Place, value: SourceNode)] {
        guard let value = object[key] else { return [] }
        guard case .sequence(let elements) = value.content else {
            expect("an array", object.place(key), value, "write an array in brackets")
            return []
        }
        let path = object.place(key).path
        return elements.enumerated().map {
            (Place(path: "\(path)[\($0.offset)]", position: $0.element.position), $0.element)
        }
    }
}
