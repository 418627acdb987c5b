// A client that ends its process in every way there is, at every place there is, always at the same one.
// The client runs on its device's main queue, but where it says otherwise.

import ClientKit
import Foundation
import Stampede
import StoreKit

final class DyingClient: PlainClient, StoreClient {
    static let name = "dying"
    static let summary = "Dies at its second launch, for users who have bought something."
    static let options = [
        ClientOption(
            name: "how",
            values: [
                "fatalError", "precondition", "index", "nil", "cast", "overflow", "segv", "abort", "stack", "exit0",
                "exit3",
                "_exit", "kill", "loop", "wait", "memory", "any",
                "hoard",
            ], meaning: "By which mistake or call."),
        ClientOption(
            name: "where",
            values: [
                "launch", "purchase", "callback", "background", "holdings", "deinit", "block", "task", "thread",
            ],
            meaning: "In which call."),
        ClientOption(name: "who", values: ["some", "all"], meaning: "Who buys more than one at a time, or everybody."),
    ]

    private var hasBought = false
    /// What was bought by the launch before.
    private lazy var hadBought = environment.durableInteger("bought") > 0

    override func launch() {
        _ = hadBought
        super.launch()
        die(in: "launch")
        let how = environment.options["how"] ?? "fatalError"
        if isDue("block") { DispatchQueue.main.async { Mistake.make(how) } }
        if isDue("task") { Task { Mistake.make(how) } }
        if isDue("thread") { Thread { Mistake.make(how) }.start() }
    }

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        die(in: "purchase")
        if quantity > 1 || environment.options["who"] == "all" { hasBought = true }
        super.purchase(identifier, quantity: quantity, completion: completion)
        if hasBought { environment.write([("bought", .integer(1))]) }
    }

    override func mischief() { die(in: "callback") }
    func didEnterBackground() { die(in: "background") }

    override func holdings() -> [String: Int] {
        die(in: "holdings")
        return super.holdings()
    }

    deinit { die(in: "deinit") }

    /// A little at a time, in a call each.
    private func hoard() {
        hoarded.append([UInt8](repeating: 1, count: 16 << 20))
        if hoarded.count < 24 {
            nonisolated(unsafe) let client = self  // It stays on its main queue.
            DispatchQueue.main.async {
                usleep(5_000)
                client.hoard()
            }
        }
    }

    private var hoarded: [[UInt8]] = []

    private func isDue(_ place: String) -> Bool { hadBought && (environment.options["where"] ?? "launch") == place }

    private func die(in place: String) {
        if isDue(place), environment.options["how"] == "hoard" { return hoard() }
        if isDue(place) { Mistake.make(environment.options["how"] ?? "fatalError") }
    }
}

private enum Mistake {
    nonisolated(unsafe) private static var numbers = [1, 2, 3]  // Guard: nobody writes it.
    nonisolated(unsafe) private static var nothing: Int?  // Guard: as above.
    nonisolated(unsafe) private static var anything: Any = 1  // Guard: as above.

    private static let kinds = ["fatalError", "precondition", "index", "nil", "cast", "overflow", "segv"]

    static func make(_ how: String) {
        switch how {
        case "any": make(kinds.randomElement() ?? "nil")
        case "precondition": precondition(numbers.isEmpty, "there is nothing to sell")
        case "index": use(numbers[numbers.count + 1])
        case "nil": use(nothing!)
        case "cast": _ = anything as! String
        case "overflow": use(Int.max + numbers[0])
        case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1
        case "abort": abort()
        case "stack": use(deeper(1))
        case "exit0": exit(0)
        case "exit3": exit(3)
        case "_exit": _exit(0)
        case "kill": kill(getpid(), SIGKILL)
        case "loop":
            var turns = 0
            while nothing == nil { turns &+= 1 }
            use(turns)
        case "memory":
            var blocks: [[UInt8]] = []
            while nothing == nil { blocks.append([UInt8](repeating: 1, count: 1 << 20)) }
            use(blocks.count)
        case "wait": DispatchSemaphore(value: 0).wait()
        default: fatalError("the shop is on fire")
        }
    }

    /// So that a compiler leaves in what it is computed by. Nothing is written: under the wall clock devices are here at once.
    @inline(never)
    private static func use(_ number: Int) { if number == 42 { print("of all numbers") } }

    @inline(never)
    private static func deeper(_ depth: Int) -> Int {
        var room = depth
        // What is used after the call is no loop to a compiler.
        return (depth < 0 ? 0 : deeper(depth + 1)) ^ stir(&room)
    }

    @inline(never)
    private static func stir(_ room: inout Int) -> Int {
        room &+= numbers.count
        return room
    }
}
