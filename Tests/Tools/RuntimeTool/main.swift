// Tries the app runtime with programs of Dispatch that nobody wrote, and runs scripts as the library does.
// Main thread.
//
//   RuntimeTool random COUNT SEED   runs programs on virtual devices; ends with 1 at the first that breaks a rule
//   RuntimeTool main NUMBER         has the library run a script of the main thread, and prints its trace
//   RuntimeTool hops KIND COUNT     has a virtual device go from one place to the next so often, for `.ci/hop-cost` to count
//   RuntimeTool dispatch QUEUES HOPS  prints how many hops a second the library makes without a device

import Foundation
import RuntimePrograms

func tryPrograms(_ count: Int, seed: UInt64) {
    let trial = ProgramTrial(seed: seed)
    let began = Date()
    trial.run(0..<count) { hang in
        print(hang)
        fflush(nil)
        _exit(1)
    }
    let seconds = Date().timeIntervalSince(began)
    if let failure = trial.failure {
        print(failure)
        exit(1)
    }
    print("\(count) programs in \(Int(seconds)) s, \(Int(Double(count) / seconds)) a second, digest \(trial.digest)")
}

func runScript(_ number: Int) {
    let log = Log()
    log.atEnd {
        for line in log.lines { print(line) }
        fflush(nil)
        _exit(0)
    }
    Script.main[number].body(log)
    while true { RunLoop.main.run() }
}

/// Each kind goes there and back.
func hop(_ kind: String, _ count: Int) -> Bool {
    let device = ProgramDevice()
    let queue = DispatchQueue(label: "of the device")
    @Sendable func goOn(_ left: Int) {
        if left > 0 { queue.async { DispatchQueue.main.async { goOn(left - 1) } } }
    }
    switch kind {
    case "queue": return device.run { goOn(count) }
    case "task": return device.run { Task { for _ in 0..<count { await MainActor.run {} } } }
    default: return false
    }
}

let arguments = CommandLine.arguments.dropFirst().map { $0 }
let numbers = arguments.dropFirst().compactMap { UInt64($0) }
switch (arguments.first, numbers.count) {
case ("random", 2): tryPrograms(Int(numbers[0]), seed: numbers[1])
case ("main", 1) where numbers[0] < Script.main.count: runScript(Int(numbers[0]))
case ("hops", 1) where arguments.count == 3 && hop(arguments[1], Int(numbers[0])): break
case ("dispatch", 2) where numbers[0] > 0:
    print(Int(DispatchBench(queues: Int(numbers[0])).run(hops: Int(numbers[1]))))
default:
    print("RuntimeTool random COUNT SEED | main NUMBER | hops queue|task COUNT | dispatch QUEUES HOPS")
    exit(64)
}
