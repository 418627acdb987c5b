// Chance for one scenario: which of its features there are, and how large what is drawn.
// A value, owned by one drawing; any thread.

import Simulation

/// Draws one scenario.
struct DrawingPen {
    let shop: DrawnShop
    let users: Int
    private var chance: RandomStream
    /// Of the features, how many percent this scenario has.
    private let density: Int
    /// The steps that this scenario's people know.
    var stepsKnown: Set<String> = []
    /// The load entry that is being drawn.
    var entry = DrawnEntry()
    /// How deep the step that is being drawn lies in others.
    var depth = 0

    init(_ chance: RandomStream, shop: DrawnShop, users: Int) {
        var chance = chance
        self.shop = shop
        self.users = users
        density = [10, 25, 50, 80][Int(chance.below(4))]
        self.chance = chance
    }

    // MARK: Chance

    /// Whether a feature that may be left out is there.
    mutating func switchIsOn() -> Bool { hits(density) }

    mutating func hits(_ percent: Int) -> Bool { chance.below(100) < UInt64(percent) }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(chance.below(UInt64(range.count)))
    }

    /// Nil where there is nothing to choose from.
    mutating func one<Item>(of items: [Item]) -> Item? { items.isEmpty ? nil : items[number(0...(items.count - 1))] }

    /// So many different ones, in the order in which they stand.
    mutating func some<Item>(_ count: Int, of items: [Item]) -> [Item] {
        var places = Array(items.indices)
        while places.count > count { places.remove(at: number(0...(places.count - 1))) }
        return places.map { items[$0] }
    }

    // MARK: Values

    mutating func scalar(_ texts: [String]) -> ScenarioOutline? { one(of: texts).map { .scalar($0) } }

    mutating func share(_ percents: [Int] = [1, 5, 20, 50, 100]) -> ScenarioOutline {
        .scalar("\(percents[number(0...(percents.count - 1))])%")
    }

    /// A time, or a distribution of times.
    mutating func times(_ scale: TimeScale) -> ScenarioOutline {
        let samples = scale.samples
        let place = number(0...(samples.count - 1))
        let (short, long) = (samples[place], samples[min(place + 1, samples.count - 1)])
        switch number(0...9) {
        case 0...4: return .scalar(short)
        case 5...7: return .scalar("\(short)..\(long)")
        case 8 where place > 0 && short != long:
            return .mapping([.init("median", .scalar(short)), .init("p99", .scalar(long))])
        case 8: return .mapping([.init("mean", .scalar(long))])
        default:
            if short == long { return .scalar(short) }
            return .mapping([.init(short, .scalar("80%")), .init(long, .scalar("20%"))])
        }
    }

    mutating func time(_ scale: TimeScale, canBeZero: Bool) -> ScenarioOutline {
        let samples = scale.samples.filter { canBeZero || $0 != "0s" }
        return .scalar(samples[number(0...(samples.count - 1))])
    }

    /// A whole number, or a distribution of such, within bounds.
    mutating func wholes(_ range: ClosedRange<Int>) -> ScenarioOutline {
        let (low, high) = (range.lowerBound, range.upperBound)
        let middle = (low + high) / 2
        switch number(0...5) {
        case 0...2: return .scalar("\(number(range))")
        case 3, 4: return .scalar("\(low)..\(number(middle...high))")
        default: return .mapping([.init("\(low)", .scalar("70%")), .init("\(high)", .scalar("30%"))])
        }
    }
}

/// How long what a key is about lasts.
enum TimeScale {
    /// Within a device or between neighbours.
    case moment
    /// On a network.
    case message
    /// Without a network; never no time at all.
    case spell
    /// For a person.
    case pause
    /// Approvals, repairs, outages.
    case errand
    /// Subscriptions.
    case calendar

    /// Ascending.
    var samples: [String] {
        switch self {
        case .moment: ["0s", "1ms", "20ms", "100ms", "500ms"]
        case .message: ["0s", "20ms", "80ms", "400ms", "2s", "8s"]
        case .spell: ["400ms", "3s", "20s", "4m"]
        case .pause: ["0s", "200ms", "1s", "5s", "30s", "3m"]
        case .errand: ["0s", "2s", "20s", "3m", "1h"]
        case .calendar: ["0s", "1h", "12h", "3d", "20d", "90d"]
        }
    }
}
