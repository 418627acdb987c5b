// Typed reading of JSON objects, with a note of every mistake on the way.
// Owned by one parse.

/// An object of the file and where it stands.
struct CatalogFileObject {
    let path: String
    private let values: [String: CatalogJSON]

    init(_ members: [CatalogJSON.Member], path: String) {
        self.path = path
        values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Nil when the key is missing. Xcode writes null for some of what is not set, so null means the same.
    subscript(key: String) -> CatalogJSON? {
        guard let value = values[key], value != .null else { return nil }
        return value
    }

    func path(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

/// Collects mistakes while values are read.
struct CatalogFileNotes {
    let file: String
    private var errors: [CatalogFileError] = []
    private var omitted = 0

    init(file: String) { self.file = file }

    var collected: CatalogFileErrors? { errors.isEmpty ? nil : CatalogFileErrors(errors, omitted: omitted) }

    mutating func note(_ jsonPath: String, _ message: String, _ remedy: String) {
        guard errors.count < CatalogFileErrors.countMax else {
            omitted += 1
            return
        }
        errors.append(
            CatalogFileError(file: file, place: .value(jsonPath: jsonPath), message: message, remedy: remedy))
    }

    private mutating func wrongKind(_ jsonPath: String, _ value: CatalogJSON, _ remedy: String) {
        note(jsonPath, "holds \(value.kindName)", remedy)
    }

    /// Nil when missing or not a string; only the second is a mistake.
    mutating func string(_ object: CatalogFileObject, _ key: String) -> String? {
        guard let value = object[key] else { return nil }
        if case .string(let text) = value { return text }
        wrongKind(object.path(key), value, "write a string in quotes")
        return nil
    }

    /// A string that has to be there and to say something.
    mutating func requiredString(_ object: CatalogFileObject, _ key: String, _ remedy: String) -> String? {
        guard object[key] != nil else {
            note(object.path(key), "missing", remedy)
            return nil
        }
        guard let text = string(object, key) else { return nil }
        if text.allSatisfy(\.isWhitespace) {
            note(object.path(key), "empty", remedy)
            return nil
        }
        return text
    }

    mutating func bool(_ object: CatalogFileObject, _ key: String) -> Bool? {
        guard let value = object[key] else { return nil }
        if case .bool(let flag) = value { return flag }
        wrongKind(object.path(key), value, "write true or false, without quotes")
        return nil
    }

    /// Nil when missing, not a whole number, or out of `range`.
    mutating func integer(
        _ object: CatalogFileObject, _ key: String, in range: ClosedRange<Int>, required: Bool
    ) -> Int? {
        let remedy = "write a whole number from \(range.lowerBound) to \(range.upperBound), without quotes"
        guard let value = object[key] else {
            if required { note(object.path(key), "missing", remedy) }
            return nil
        }
        guard case .number(let text) = value else {
            wrongKind(object.path(key), value, remedy)
            return nil
        }
        guard let number = Int(text), range.contains(number) else {
            note(object.path(key), "\(text.prefix(40)) is not possible here", remedy)
            return nil
        }
        return number
    }

    mutating func object(_ object: CatalogFileObject, _ key: String) -> CatalogFileObject? {
        guard let value = object[key] else { return nil }
        if case .object(let members) = value { return CatalogFileObject(members, path: object.path(key)) }
        wrongKind(object.path(key), value, "write an object in braces")
        return nil
    }

    /// The objects of an array; empty when it is missing. Elements of another kind are mistakes and left out.
    mutating func objects(_ object: CatalogFileObject, _ key: String) -> [CatalogFileObject] {
        var objects: [CatalogFileObject] = []
        for (path, element) in elements(object, key) {
            if case .object(let members) = element {
                objects.append(CatalogFileObject(members, path: path))
            } else {
                wrongKind(path, element, "write an object in braces")
            }
        }
        return objects
    }

    /// The strings of an array, each with where it stands; the same for them.
    mutating func strings(_ object: CatalogFileObject, _ key: String) -> [(path: String, text: String)] {
        var strings: [(path: String, text: String)] = []
        for (path, element) in elements(object, key) {
            if case .string(let text) = element {
                strings.append((path, text))
            } else {
                wrongKind(path, element, "write a string in quotes")
            }
        }
        return strings
    }

    private mutating func elements(
        _ object: CatalogFileObject, _ key: String
    ) -> [(path: String, value: CatalogJSON)] {
        guard let value = object[key] else { return [] }
        guard case .array(let elements) = value else {
            wrongKind(object.path(key), value, "write an array in brackets")
            return []
        }
        return elements.enumerated().map { ("\(object.path(key))[\($0.offset)]", $0.element) }
    }
}
