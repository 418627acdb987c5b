// Why a report could not be written.
// Plain value.

/// A report that could not be written, with what to do about it.
package struct ReportWriteError: Error, Sendable, Equatable, CustomStringConvertible {
    package let path: String
    package let reason: String
    package let remedy: String

    package init(path: String, reason: String, remedy: String) {
        self.path = path
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(path): \(reason); \(remedy)" }
}
