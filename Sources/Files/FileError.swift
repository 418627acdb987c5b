// Why a report could not be written.
// Plain value.

/// A report that could not be written, with what to do about it.
package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String
    package let hint: String

    package init(path: String, reason: String, hint: String) {
        self.path = path
        self.reason = reason
        self.hint = hint
    }

    package var description: String { "\(path): \(reason); \(hint)" }
}
