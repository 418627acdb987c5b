// Words of a command line that can be pasted into a shell.
// Pure; any thread.

package enum ShellWord {
    /// The text as a shell takes it for one word.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+,@%:".contains($0)) }
        if isPlain, !text.isEmpty { return text }
        let parts = text.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
