// `UserDefaults.standard` of a device: what is set is read back, from any queue, and goes where the device's storage is.

import ClientKit
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct DefaultsTests {
    @Test func defaultsReturnEveryKindOfValue() {
        let bench = VirtualBench()
        bench.run {
            let defaults = UserDefaults.standard
            let date = Date(timeIntervalSince1970: 1_000)
            defaults.set(7, forKey: "integer")
            defaults.set(true, forKey: "flag")
            defaults.set(2.5, forKey: "double")
            defaults.set(Float(0.5), forKey: "float")
            defaults.set("seven", forKey: "text")
            defaults.set(Data([7]), forKey: "data")
            defaults.set(["a", "b"], forKey: "array")
            defaults.set(["a": 1], forKey: "dictionary")
            defaults.set(date, forKey: "date")
            defaults.set(URL(string: "https://example.com/a"), forKey: "url")
            defaults.set(NSNumber(value: 12), forKey: "number")
            #expect(defaults.integer(forKey: "integer") == 7 && defaults.object(forKey: "integer") as? Int == 7)
            #expect(defaults.bool(forKey: "flag") && defaults.object(forKey: "flag") as? Bool == true)
            #expect(defaults.double(forKey: "double") == 2.5 && defaults.float(forKey: "float") == 0.5)
            #expect(defaults.string(forKey: "text") == "seven" && defaults.data(forKey: "data") == Data([7]))
            #expect(defaults.stringArray(forKey: "array") == ["a", "b"] && defaults.array(forKey: "array")?.count == 2)
            #expect(defaults.dictionary(forKey: "dictionary") as? [String: Int] == ["a": 1])
            #expect(defaults.object(forKey: "date") as? Date == date)
            #expect(defaults.url(forKey: "url")?.path == "/a")
            #expect(defaults.integer(forKey: "number") == 12)
            #expect(Set(defaults.dictionaryRepresentation().keys).isSuperset(of: ["integer", "url", "date"]))
            // As between the kinds on Apple's systems.
            #expect(defaults.integer(forKey: "flag") == 1 && defaults.bool(forKey: "integer"))
            #expect(defaults.string(forKey: "integer") == "7" && defaults.integer(forKey: "double") == 2)
            #expect(defaults.integer(forKey: "missing") == 0 && defaults.object(forKey: "missing") == nil)
        }
        #expect(bench.device.storage.durableValue("integer") == .integer(7))
        #expect(bench.device.storage.durableValue("text") == .text("seven"))
    }

    // The system's own spins for ever.
    @Test(.timeLimit(.minutes(20)))
    func settingNilRemovesADefault() {
        let bench = VirtualBench()
        bench.run {
            let defaults = UserDefaults.standard
            for key in ["a", "b", "c"] { defaults.set(1, forKey: key) }
            defaults.set(nil, forKey: "a")
            defaults.set(nil as Any?, forKey: "b")
            defaults.removeObject(forKey: "c")
            #expect(["a", "b", "c"].allSatisfy { defaults.object(forKey: $0) == nil })
        }
        #expect(bench.device.storage.values.isEmpty)
    }

    @Test func registeredDefaultsReplaceMissingValues() {
        let bench = VirtualBench()
        bench.run {
            UserDefaults.standard.register(defaults: ["lives": 3, "name": "nobody"])
            UserDefaults.standard.set("somebody", forKey: "name")
            #expect(UserDefaults.standard.integer(forKey: "lives") == 3)
            #expect(UserDefaults.standard.string(forKey: "name") == "somebody")
        }
        #expect(bench.device.storage.durableValue("lives") == nil)
    }

    @Test func storingANonPropertyListValueEndsTheApp() {
        let bench = VirtualBench()
        bench.run { UserDefaults.standard.set([Thread.current], forKey: "thread") }
        #expect(bench.device.process == nil && bench.device.counts.exceptions == 1)
    }

    @Test(arguments: [false, true])
    func crashLosesUnflushedDefaults(isSynchronized: Bool) {
        var app = AppConditions()
        app.flushDelay = .seconds(10)
        let bench = VirtualBench(app: app)
        let process = bench.process
        bench.timeline.schedule {
            process.enter(.launch) {
                UserDefaults.standard.set(1, forKey: "lives")
                if isSynchronized { UserDefaults.standard.synchronize() }
                #expect(UserDefaults.standard.integer(forKey: "lives") == 1)
            }
            bench.device.crash()
            process.enter(.launch) { Issue.record("a dead process runs no client code") }
            _ = bench.device.launch()
        }
        bench.settle()
        bench.run { #expect(UserDefaults.standard.integer(forKey: "lives") == (isSynchronized ? 1 : 0)) }
    }

    @Test func devicesDoNotShareDefaults() {
        let benches = [VirtualBench(), VirtualBench()]
        benches[0].run { UserDefaults.standard.set("first", forKey: "name") }
        benches[1].run { #expect(UserDefaults.standard.object(forKey: "name") == nil) }
        #expect(UserDefaults.standard.object(forKey: "name") == nil)
    }

    // From a queue of its own a client reads what it wrote, though the device's lane comes to it later only.
    @Test func countingInDefaultsOffTheLaneLosesNoWrite() async {
        let bench = WallBench()
        await bench.run {
            let own = DispatchQueue(label: "own")
            nonisolated(unsafe) let defaults = UserDefaults.standard
            for _ in 0..<500 { own.async { defaults.set(defaults.integer(forKey: "count") + 1, forKey: "count") } }
            own.async {
                DispatchQueue.main.async { defaults.set(defaults.integer(forKey: "count") + 1, forKey: "count") }
            }
            // The lane and the client's queue at the same time.
            for _ in 0..<50 { defaults.set(defaults.integer(forKey: "other") + 1, forKey: "other") }
            own.sync { defaults.set(1, forKey: "order") }
            defaults.set(2, forKey: "order")
        }
        #expect(bench.onLane { $0.storage.durableValue("count") } == .integer(501))
        #expect(bench.onLane { $0.storage.durableValue("other") } == .integer(50))
        #expect(bench.onLane { $0.storage.durableValue("order") } == .integer(2))
    }
}

@Suite struct ReceiptFileTests {
    // As on Apple's systems: the URL is there, and the file is not.
    @Test func readingAMissingReceiptThrows() throws {
        let bench = VirtualBench()
        var before: URL?
        bench.run {
            before = Bundle.main.appStoreReceiptURL
            guard let before else { return }
            #expect(!FileManager.default.fileExists(atPath: before.path))
            #expect(throws: (any Error).self) { try Data(contentsOf: before) }
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
        let url = try #require(before)
        // The file's dates are to the second: the audit allows for that from here on.
        #expect(bench.device.receiptTolerance == .zero)
        bench.run {
            #expect(Bundle.main.appStoreReceiptURL == url)
            #expect((try? Data(contentsOf: url)) != nil)
        }
        #expect(bench.device.receiptTolerance == .seconds(1))
    }

    // R57: a restore brings the receipt up to date, were it an empty one.
    @Test func receiptFileHoldsTheDevicesReceipt() throws {
        let bench = VirtualBench()
        let other = VirtualBench()
        var found: [URL] = []
        for _ in 0..<2 {
            bench.run { SKPaymentQueue.default().restoreCompletedTransactions() }
            bench.run {
                guard let url = Bundle.main.appStoreReceiptURL else { return }
                found.append(url)
                let receipt = (try? Data(contentsOf: url)).flatMap { try? AppReceipt(contentsOf: $0) }
                #expect(receipt?.inApp.isEmpty == true)
            }
        }
        #expect(found.count == 2 && found[0] == found[1] && found[0].lastPathComponent == "receipt")
        other.run { SKPaymentQueue.default().restoreCompletedTransactions() }
        other.run { #expect(Bundle.main.appStoreReceiptURL != found[0]) }
        bench.device.shutDown()
        bench.timeline.schedule {}
        #expect(!FileManager.default.fileExists(atPath: found[0].path))
    }

    @Test func receiptFileCanBeReadFromAnyQueue() async {
        let bench = WallBench()
        let log = Log()
        await bench.run { SKPaymentQueue.default().restoreCompletedTransactions() }
        await bench.run {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                let data = Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) }
                let receipt = data.flatMap { try? AppReceipt(contentsOf: $0) }
                log.add(receipt == nil ? "none" : "one")
            }
        }
        #expect(log.lines == Array(repeating: "one", count: 8))
    }
}
