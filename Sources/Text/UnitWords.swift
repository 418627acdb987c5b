// Units as people write them elsewhere, and how they are written here.
// Constants and pure functions; any thread.

package enum UnitWords {
    /// `s` for `seconds`; nil for a word that is no unit of time.
    package static func time(_ word: some StringProtocol) -> String? {
        // Elsewhere a capital M alone is a month.
        word == "M" ? nil : times[word.lowercased()]
    }

    /// `KiB` for `kilobytes`; nil for a word that is no unit of memory.
    package static func memory(_ word: some StringProtocol) -> String? { sizes[word.lowercased()] }

    /// Whether the word means percent.
    package static func isPercent(_ word: some StringProtocol) -> Bool {
        ["%", "percent", "per cent", "pct"].contains(word.lowercased())
    }

    private static let times = byWord([
        "us": "us µs μs usec usecs microsecond microseconds", "ms": "ms msec msecs millis millisecond milliseconds",
        "s": "s sec secs second seconds", "m": "m min mins minute minutes", "h": "h hr hrs hour hours",
        "d": "d day days",
    ])

    private static let sizes = byWord([
        "KiB": "kib kb ki k kilobyte kilobytes", "MiB": "mib mb mi m meg megs megabyte megabytes",
        "GiB": "gib gb gi g gig gigs gigabyte gigabytes",
    ])

    private static func byWord(_ units: [String: String]) -> [String: String] {
        var found: [String: String] = [:]
        for (unit, words) in units { for word in words.split(separator: " ") { found[String(word)] = unit } }
        return found
    }
}
