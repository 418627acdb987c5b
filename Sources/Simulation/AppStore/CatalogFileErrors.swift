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

    /// The path as the caller gave it.
    package let file: String
    package let place: Place
    package let message: String
    /// What to do about it, as the end of a sentence.
    package let remedy: String

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

    /// `FakeGame.storekit: products[1].displayPrice: "0,99" is not a price; write it with a point, such as "0.99"`
    package var description: String {
        switch place {
        case .file: "\(file): \(message); \(remedy)"
        case .position(let line, let column): "\(file):\(line):\(column): \(message); \(remedy)"
        case .value(let jsonPath): "\(file): \(jsonPath): \(message); \(remedy)"
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

    /// One line a mistake.
    package var description: String {
        var lines = errors.map(\.description)
        if omitted > 0 { lines.append("\(errors[0].file): and \(omitted) more; correct these first") }
        return lines.joined(separator: "\n")
    }
}
