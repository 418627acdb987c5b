// So many lines for several lists: who reads a terminal reads no more.
// Pure; any thread.

import Text

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

    /// The first of a text's lines, and that there are more.
    static func cut(_ lines: [String], to count: Int) -> [String] {
        guard lines.count > count, count > 0 else { return lines }
        return lines.prefix(count - 1) + [lines[count - 1] + " …"]
    }
}
