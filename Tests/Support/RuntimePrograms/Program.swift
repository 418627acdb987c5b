// Programs of Dispatch that nobody wrote: queues with targets, groups, barriers, semaphores, timers, waits.
// Plain values; drawn from a seed.

/// What one draws from. Not the simulation's own, whose order is under test.
struct Chance {
    private var state: UInt64

    init(seed: UInt64, number: Int) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(number) &* 0xBF58_476D_1CE4_E5B9 }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }

    mutating func isOne(in count: Int) -> Bool { below(count) == 0 }
}

struct Program {
    struct Queue {
        var isConcurrent: Bool
        var target: Int?
        /// Queues of one tree may hold each other up. Who waits for a queue waits for one of a higher tree, so that
        /// no two wait for each other.
        var tree: Int
    }

    /// A block of client code. They are numbered, and none is put in line twice.
    struct Block {
        var number: Int
        var steps: [Step] = []
    }

    /// Times in milliseconds.
    indirect enum Step {
        case async(queue: Int, group: Int?, isBarrier: Bool, Block)
        case after(queue: Int, delay: Int, Block)
        case sync(queue: Int, isBarrier: Bool, Block)
        case sleep(Int)
        case signal(semaphore: Int)
        case wait(semaphore: Int, timeout: Int)
        case enter(group: Int, leavingAfter: Int)
        case notify(group: Int, queue: Int, Block)
        case waitForGroup(Int, timeout: Int)
        case suspend(queue: Int, resumingAfter: Int)
        /// Its handler takes `lasting`; after `firings` of it, the last one cancels it.
        case timer(Int, queue: Int, start: Int, interval: Int, firings: Int, lasting: Int)
        /// From outside its handler; nothing if it has not been made by then.
        case cancelTimer(Int, after: Int)
        case item(queue: Int, cancelledAfter: Int, Block, notice: Block)
    }

    /// The first one is the main queue.
    var queues = [Queue(isConcurrent: false, target: nil, tree: 0)]
    let groupCount = 2
    /// Their values to begin with.
    var semaphores: [Int] = []
    var timerCount = 0
    var blockCount = 0
    var root = Block(number: 0)

    private var chance: Chance
    private static let blocksMax = 24

    init(seed: UInt64, number: Int) {
        chance = Chance(seed: seed, number: number)
        for place in 1...(1 + chance.below(4)) {
            let target = chance.isOne(in: 3) && place > 1 ? 1 + chance.below(place - 1) : nil
            queues.append(
                Queue(isConcurrent: chance.isOne(in: 2), target: target, tree: target.map { queues[$0].tree } ?? place))
        }
        semaphores = [chance.below(2), chance.below(3)]
        root = block(on: 0, depth: 0)
    }

    private mutating func block(on queue: Int, depth: Int) -> Block {
        var block = Block(number: blockCount)
        blockCount += 1
        let count = depth == 0 ? 5 + chance.below(8) : chance.below(4)
        for _ in 0..<count where blockCount < Self.blocksMax { block.steps.append(step(on: queue, depth: depth + 1)) }
        return block
    }

    private mutating func step(on queue: Int, depth: Int) -> Step {
        let other = chance.below(queues.count)
        let delay = chance.below(6)
        switch chance.below(17) {
        case 0...4:
            let isBarrier = queues[other].isConcurrent && chance.isOne(in: 3)
            let group = !isBarrier && chance.isOne(in: 3) ? chance.below(groupCount) : nil
            return .async(queue: other, group: group, isBarrier: isBarrier, block(on: other, depth: depth))
        case 5: return .after(queue: other, delay: delay, block(on: other, depth: depth))
        case 6, 7:
            guard queues[other].tree > queues[queue].tree else { return .sleep(delay) }
            let isBarrier = queues[other].isConcurrent && chance.isOne(in: 3)
            return .sync(queue: other, isBarrier: isBarrier, block(on: other, depth: depth))
        case 8: return .sleep(delay)
        case 9: return .signal(semaphore: chance.below(semaphores.count))
        case 10: return .wait(semaphore: chance.below(semaphores.count), timeout: delay)
        case 11: return .enter(group: chance.below(groupCount), leavingAfter: delay)
        case 12: return .notify(group: chance.below(groupCount), queue: other, block(on: other, depth: depth))
        case 13: return .waitForGroup(chance.below(groupCount), timeout: delay)
        case 14:
            if other > 0, chance.isOne(in: 2) { return .suspend(queue: other, resumingAfter: delay) }
            return timer(on: other, start: delay)
        case 15:
            guard timerCount > 0 else { return timer(on: other, start: delay) }
            return .cancelTimer(chance.below(timerCount), after: delay)
        default:
            let item = block(on: other, depth: depth)
            return .item(queue: other, cancelledAfter: delay, item, notice: block(on: other, depth: depth))
        }
    }

    private mutating func timer(on queue: Int, start: Int) -> Step {
        timerCount += 1
        return .timer(
            timerCount - 1, queue: queue, start: start, interval: 1 + chance.below(4), firings: 1 + chance.below(3),
            lasting: chance.isOne(in: 2) ? chance.below(6) : 0)
    }
}
