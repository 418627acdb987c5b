// Where a text that should be JSON is none, for those who read it with a decoder that does not say.
// Pure; any thread.

package struct JSONSyntaxError: Sendable, Equatable {
    /// Both from 1; the column counts bytes.
    package let line: Int
    package let column: Int
    package let message: String
    /// What to do about it, as the end of a sentence.
    package let remedy: String

    /// The first mistake of a text; nil where it is JSON.
    package init?(in bytes: [UInt8]) {
        do throws(CatalogJSONError) {
            _ = try CatalogJSONReader.read(bytes)
            return nil
        } catch {
            (line, column, message, remedy) = (error.line, error.column, error.message, error.remedy)
        }
    }
}
