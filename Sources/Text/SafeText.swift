// Which letters of a text from outside may reach a terminal, a page or a log.
// Pure; any thread.

extension Unicode.Scalar {
    /// Moves the cursor, breaks the line, is invisible, or turns the order of what stands beside it: a product could
    /// be told under another's name (U+202E). What joins letters of scripts and of pictures may stay.
    package var isUnsafe: Bool {
        // Nearly all that is ever asked for.
        if (0x20...0x7E).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return !Self.joiners.contains(self)
        default: return properties.isNoncharacterCodePoint
        }
    }

    /// Zero width joiner and non-joiner, the soft hyphen, and the tags of flags.
    private static let joiners = Set<Unicode.Scalar>(
        ["\u{200C}", "\u{200D}", "\u{AD}"] + (0xE0020...0xE007F).compactMap { Unicode.Scalar($0) })
}
