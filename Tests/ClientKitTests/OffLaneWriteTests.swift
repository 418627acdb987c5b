// What client code writes from a queue of its own under the wall clock: read at once, in order with all else, and behind
// the fence.

import ClientKit
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct OffLaneWriteTests {
    private func environment() -> AppEnvironment {
        // Client code runs in a process.
        AppEnvironment(process: CurrentProcess.found!, facts: AppFacts(products: [], options: [:]))
    }

    // Read, add one, write: the lane comes to the writes later only.
    @Test func writeOffTheLaneIsReadBackAtOnce() async {
        let bench = WallBench()
        await bench.run { [self] in
            let environment = environment()
            let own = DispatchQueue(label: "own")
            for _ in 0..<500 {
                own.async {
                    environment.write([("count", .integer(environment.durableInteger("count") + 1))])
                    environment.defaults.set(
                        .integer(environment.defaults.integer(forKey: "default") + 1), forKey: "default")
                    let file = environment.files.read("file") ?? Data()
                    environment.files.write(file + [1], to: "file")
                }
            }
            own.async {
                environment.write([("gone", .flag(true))])
                environment.write([("gone", nil)])
                #expect(!environment.hasDurable("gone"))
            }
        }
        bench.onLane { device in
            #expect(device.storage.durableValue("count") == .integer(500))
            #expect(device.storage.durableValue("default") == .integer(500))
            #expect(device.storage.file("file")?.count == 500)
        }
    }

    // The lane waits for the client's queue, and then does something itself.
    @Test(arguments: [false, true])
    func laneEventsFollowEarlierWritesOffTheLane(finds: Bool) async {
        let bench = WallBench()
        await bench.run { [self] in
            let environment = environment()
            DispatchQueue(label: "own").sync { environment.write([("goods", .integer(1))]) }
            if finds { #expect(environment.durableInteger("goods") == 1) }
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
        let events = bench.onLane { $0.events.map(\.event) }
        let stored = events.firstIndex { $0.effect == .storageWrite } ?? events.count
        #expect(stored < events.firstIndex(of: .restoreCalled) ?? 0, "\(events)")
    }

    // Written and then told to StoreKit by the same thread.
    @Test func historyKeepsTheOrderOfOneThreadsCalls() async {
        let bench = WallBench()
        await bench.run { [self] in
            let environment = environment()
            let queue = SKPaymentQueue.default()
            let own = DispatchQueue(label: "own")
            for turn in 0..<50 {
                own.async {
                    environment.write([("turn", .integer(turn))])
                    queue.restoreCompletedTransactions()
                }
            }
            for _ in 0..<50 { environment.write([("lane", .flag(true))]) }
        }
        var written = 0
        for record in bench.onLane({ $0.events }) {
            if record.event.effect == .storageWrite { written += 1 }
            if record.event == .restoreCalled { written -= 1 }
            #expect(written >= 0)
        }
        #expect(written == 50)
    }

    // Nothing that the lane had not come to outlives the process.
    @Test func crashBeforeTheLaneStoresAWriteLosesIt() {
        let bench = WallBench()
        bench.onLane { device in
            let process = device.process!  // Launched by the bench.
            process.enter(.launch) {
                let environment = environment()
                DispatchQueue(label: "own").sync {
                    environment.write([("goods", .integer(1))])
                    environment.files.write(Data([1]), to: "file")
                    #expect(environment.durableInteger("goods") == 1)
                }
            }
            device.crash()
            _ = device.launch()
        }
        let process = bench.onLane { $0.process }
        CurrentProcess.$bound.withValue(process) {
            let environment = environment()
            #expect(!environment.hasDurable("goods") && environment.files.read("file") == nil)
        }
        bench.onLane { device in #expect(device.storage.durableValue("goods") == nil) }
    }
}
