// What can be wrong with a StoreKit configuration file: facts here, words in one renderer.
// Plain values.

/// One mistake in a StoreKit configuration file.
package struct CatalogFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the file the mistake is.
    package enum Place: Sendable, Equatable {
        /// The file as a whole: missing, too large, not text.
        case file
        /// A place in the text, both counted from 1; columns count bytes.
        case position(line: Int, column: Int)
        /// A place in the document, such as `products[1].displayPrice`.
        case value(jsonPath: String)
    }

    /// A place in the text, both counted from 1; columns count bytes.
    package struct Position: Sendable, Equatable {
        package let line: Int
        package let column: Int
    }

    /// The path as the caller gave it.
    package let file: String
    package let place: Place
    package let message: String
    /// What to do about it, as the end of a sentence.
    package let remedy: String
    /// Where the value begins in the text; of one that is missing, the object that it is missed in.
    package internal(set) var position: Position?

    package init(file: String, place: Place, message: String, remedy: String) {
        self.file = file
        self.place = place
        self.message = message
        self.remedy = remedy
    }

    /// Empty when the mistake has no place in the document.
    package var jsonPath: String {
        if case .value(let jsonPath) = place { jsonPath } else { "" }
    }

    /// `Shop.storekit:21:23: products[1].displayPrice: "0,99" is not a price; write it with a point, such as "0.99"`
    package var description: String {
        switch place {
        case .file: "\(file): \(message); \(remedy)"
        case .position(let line, let column): "\(file):\(line):\(column): \(message); \(remedy)"
        case .value(let jsonPath):
            position.map { "\(file):\($0.line):\($0.column): \(jsonPath): \(message); \(remedy)" }
                ?? "\(file): \(jsonPath): \(message); \(remedy)"
        }
    }
}

/// Every mistake of one file, in the order of reading: settings first, then section by section.
package struct CatalogFileErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// More than these are counted, not kept.
    package static let countMax = 100

    /// Never empty.
    package private(set) var errors: [CatalogFileError]
    /// Mistakes beyond `countMax`.
    package private(set) var omitted = 0

    init(_ errors: [CatalogFileError], omitted: Int) {
        precondition(!errors.isEmpty, "an error about nothing")
        self.errors = errors
        self.omitted = omitted
    }

    init(_ error: CatalogFileError) { errors = [error] }

    /// The same with their places in the text of the file.
    func located(in bytes: [UInt8]) -> CatalogFileErrors {
        let places = CatalogJSONPlaces(of: errors.map(\.jsonPath), in: bytes)
        var located = self
        for index in errors.indices { located.errors[index].position = places[errors[index].jsonPath] }
        return located
    }

    /// One line a mistake.
    package var description: String {
        var lines = errors.map(\.description)
        if omitted > 0 { lines.append("\(errors[0].file): and \(omitted) more; correct these first") }
        return lines.joined(separator: "\n")
    }
}
