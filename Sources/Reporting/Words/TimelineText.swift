// A timeline as plain lines, for terminals.
// Pure; any thread.

import Text

package enum TimelineText {
    /// `  12  00:00:01.019  StoreKit tells: 3 products found`, one line an entry, however long.
    package static func lines(_ entries: [Report.TimelineEntry]) -> [String] {
        let width = entries.map { String($0.number).count }.max() ?? 1
        return entries.map {
            "\(TextLayout.paddedLeft(String($0.number), to: width))  \(HumanNumbers.clock(nanoseconds: $0.atNs))  "
                + TextLayout.safe($0.text)
        }
    }
}
