// So many lines for several lists: who reads a terminal reads no more.
// Pure; any thread.

import Text

/// How much of what is wrong is printed.
package enum TextExtent: Sendable {
    /// The verdict and what is wrong; nothing where nothing is.
    case problems
    /// Forty lines at most where something is wrong, everything else.
    case brief
    case whole
}

/// Lists that share lines, each from its first item on.
enum LineBudget {
    /// What a command prints of what is wrong, unless all of it is asked for.
    static let linesMax = 40

    struct List {
        /// What stands above the items where there are any.
        var heading: [String] = []
        /// The lines of each, the gravest first.
        let items: [[String]]
        /// How many have their turn before those of the next list.
        var turn = 1
    }

    struct Share: Equatable {
        var lines: [String] = []
        /// Items that there was no room for.
        var left: Int
    }

    /// In turn, so that no list leaves nothing to another; an item is shown whole or not.
    static func shares(of lists: [List], lines: Int) -> [Share] {
        var shares = lists.map { Share(left: $0.items.count) }
        var open = Set(lists.indices)
        var free = lines
        while !open.isEmpty {
            for place in lists.indices where open.contains(place) {
                let list = lists[place]
                for _ in 0..<list.turn {
                    let next = list.items.count - shares[place].left
                    let isFirst = next == 0
                    guard next < list.items.count,
                        (isFirst ? list.heading.count : 0) + list.items[next].count <= free
                    else {
                        open.remove(place)
                        break
                    }
                    let more = (isFirst ? list.heading : []) + list.items[next]
                    shares[place].lines += more
                    shares[place].left -= 1
                    free -= more.count
                }
            }
        }
        return shares
    }

    /// Where the text of what is wrong is short enough, all of it.
    static func fits(_ lines: [String]) -> Bool { lines.count <= linesMax }

    /// One sentence: what is not shown, and how to see it. Nothing for nothing.
    static func rest(
        left: Int, of noun: String = "finding", _ others: [String], style: TerminalStyle, width: Int
    ) -> [String] {
        let parts = (left > 0 ? [HumanNumbers.quantity(left, "more \(noun)")] : []) + others
        return parts.isEmpty ? [] : style.wrapped("… \(HumanNumbers.list(parts)): --verbose", width: width)
    }

    /// Lists between what stands before and after them; how many items were left out decides what is said of the rest.
    static func text(
        _ head: [String], _ lists: [List], rest: (_ left: Int) -> [String], _ end: [String]
    ) -> String {
        // As long as the line about the rest can be.
        let shares = shares(of: lists, lines: linesMax - head.count - rest(.max).count - end.count)
        let left = shares.reduce(0) { $0 + $1.left }
        return (head + shares.flatMap(\.lines) + rest(left) + end).joined(separator: "\n") + "\n"
    }

    /// The first of a text's lines, and that there are more.
    static func cut(_ lines: [String], to count: Int) -> [String] {
        guard lines.count > count, count > 0 else { return lines }
        return lines.prefix(count - 1) + [lines[count - 1] + " …"]
    }
}
