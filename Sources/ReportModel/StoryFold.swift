// Stories that are one story: the same rule, broken by doing the same.
// Pure; any thread.

import Judgement

package struct StoryFold {
    package let first: Report.Evidence
    package private(set) var others: [Report.Evidence] = []

    /// In the order of their first ones.
    package static func folded(_ evidence: [Report.Evidence]) -> [StoryFold] {
        var folds: [StoryFold] = []
        for one in evidence {
            if let place = folds.firstIndex(where: { $0.first.isOneStory(with: one) }) {
                folds[place].others.append(one)
            } else {
                folds.append(StoryFold(first: one))
            }
        }
        return folds
    }
}

extension Report.Evidence {
    fileprivate func isOneStory(with other: Self) -> Bool {
        guard rule == other.rule, cause == other.cause else { return false }
        // A crash is told once for each place in the code.
        return cause == nil && deeds == other.deeds
    }

    /// What was done about it, each thing once, and what the client did last.
    private var deeds: [Report.TimelineEntry.Kind?] {
        let numbers = Set(about)
        var deeds: [Report.TimelineEntry.Kind?] = []
        for entry in timeline where numbers.contains(entry.number) {
            guard let kind = entry.kind, kind != .nothingHeld, !deeds.contains(kind) else { continue }
            deeds.append(kind)
        }
        return deeds + [guiltyEntry?.kind]
    }
}
