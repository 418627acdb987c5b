// What an app finds around it on its device.
// Meant for the device's main queue. Calls from elsewhere are forwarded there.

public import Foundation
package import Simulation
import StoreKit

/// The device as an app sees it: storage that survives the process, the main queue, the products it sells.
public final class AppEnvironment {
    /// A product as the app's authors know it.
    public struct Product: Sendable {
        public enum Kind: Sendable {
            case consumable, nonConsumable, nonRenewingSubscription, autoRenewableSubscription
        }

        public let identifier: String
        public let kind: Kind

        package init(_ product: CatalogProduct) {
            identifier = product.identifier
            switch product.kind {
            case .consumable: kind = .consumable
            case .nonConsumable: kind = .nonConsumable
            case .nonRenewingSubscription: kind = .nonRenewingSubscription
            case .autoRenewableSubscription: kind = .autoRenewableSubscription
            }
        }
    }

    /// What the app sells, in the catalog's order.
    public let products: [Product]
    /// The client's options as the scenario gives them.
    public let options: [String: String]
    public let defaults: AppDefaults
    public let files: AppFiles
    public let main: AppMainQueue

    let process: AppProcess
    /// The process's, and gone with it: requests that its end leaves without an answer keep nothing that owns them.
    var productLoader: ProductLoader { process.processObject(ProductLoader.self) { ProductLoader(main: main) } }

    /// - Parameter facts: made once for all launches of a client.
    package init(process: AppProcess, facts: AppFacts) {
        FoundationHooks.install()
        self.process = process
        products = facts.products
        options = facts.options
        defaults = AppDefaults(process: process)
        files = AppFiles(process: process)
        main = AppMainQueue(process: process)
        process.facts = facts
        process.keep(self, as: ObjectIdentifier(AppEnvironment.self))
    }

    /// That of the simulated app whose code is running: the one that its client was given.
    public static var current: AppEnvironment {
        let process = CurrentProcess.found(for: "AppEnvironment.current")
        return process.processObject(AppEnvironment.self) {
            AppEnvironment(process: process, facts: process.facts as? AppFacts ?? AppFacts(products: [], options: [:]))
        }
    }

    /// Writes several keys in one atomic step: after a crash either all of them are there or none.
    /// Durable when it returns; called elsewhere than on the main queue, before anything that is called afterwards, and
    /// read at once all the same.
    public func write(_ changes: [(key: String, value: AppValue?)]) {
        guard process.device.lane.isCurrent else {
            return process.device.writeFromOutside(
                .keys(changes.map { StorageChange($0.key, $0.value?.stored) }), from: process)
        }
        process.device.write(from: process, count: changes.count) { put in
            for change in changes { put(change.key, change.value?.stored) }
        }
    }

    /// What was written under a key and would survive a crash now.
    public func durableInteger(_ key: String) -> Int {
        if case .integer(let value) = durable(key) { return value }
        return 0
    }

    /// The text that was written under a key and would survive a crash now; empty if there is none.
    public func durableText(_ key: String) -> String {
        if case .text(let value) = durable(key) { return value }
        return ""
    }

    /// The receipt on the device; nil before the first purchase. StoreKit brings it up to date when a purchase, a
    /// restore or a refresh completes, and before it tells of something taken back.
    public var receipt: AppReceipt? {
        guard let receipt = process.device.receipt else {
            process.remarkMissingReceipt()
            return nil
        }
        return AppReceipt(receipt, process.device.lane.calendar)
    }
    /// Whether there is one, which costs less to ask.
    public var hasReceipt: Bool {
        if !process.device.hasReceipt { process.remarkMissingReceipt() }
        return process.device.hasReceipt
    }

    /// The time on the device.
    public var now: Date { process.device.lane.date }

    /// Whether anything durable stands under a key.
    public func hasDurable(_ key: String) -> Bool { durable(key) != nil }

    private func durable(_ key: String) -> StorageValue? { process.durableValue(key) }

    /// The app ran into a state that it does not allow for, and stops: its process crashes, the harness goes on.
    public func assertionFailed() { process.raiseAnywhere(.failedAssertion) }
}

/// What the authors of an app know of it.
package final class AppFacts: Sendable {
    let products: [AppEnvironment.Product]
    let options: [String: String]

    package init(products: [AppEnvironment.Product], options: [String: String]) {
        self.products = products
        self.options = options
    }
}

/// A value in storage.
public enum AppValue: Sendable {
    case integer(Int)
    case flag(Bool)
    case text(String)
    case data(Data)

    var stored: StorageValue {
        switch self {
        case .integer(let value): return .integer(value)
        case .flag(let value): return .flag(value)
        case .text(let value): return .text(value)
        case .data(let value): return .bytes(value)
        }
    }
}

/// The user defaults of the app on its device.
///
/// Where the scenario sets a flush delay, a crash loses what was set within it and not synchronised.
public struct AppDefaults {
    let process: AppProcess

    public func integer(forKey key: String) -> Int {
        if case .integer(let value) = value(key) { return value }
        return 0
    }

    public func bool(forKey key: String) -> Bool {
        if case .flag(let value) = value(key) { return value }
        return false
    }

    public func string(forKey key: String) -> String? {
        if case .text(let value) = value(key) { return value }
        return nil
    }

    private func value(_ key: String) -> StorageValue? {
        process.device.storedValue(key, isDurable: false)
    }

    public func set(_ value: AppValue?, forKey key: String) {
        let change = StorageChange(key, value?.stored)
        if process.device.lane.isCurrent { return process.device.setDefault(change, from: process) }
        process.device.writeFromOutside(.setting(change), from: process)
    }

    /// Makes everything set so far durable.
    public func synchronize() {
        if process.device.lane.isCurrent { return process.device.synchronize(from: process) }
        process.device.performFromOutside(process) { [process] in process.device.synchronize(from: process) }
    }
}

/// The app's files: written as a whole, durable when the write returns.
public struct AppFiles {
    let process: AppProcess

    public func read(_ path: String) -> Data? {
        process.device.storedFile(path)
    }

    public func write(_ contents: Data, to path: String) {
        if process.device.lane.isCurrent { return process.device.writeFile(path, contents, from: process) }
        process.device.writeFromOutside(.file(path, contents), from: process)
    }
}

extension AppEnvironment {
    /// Observers on the app's payment queue now.
    package var observerCount: Int { SKPaymentQueue.default().transactionObservers.count }
}

/// The device's main queue, for code that would say `DispatchQueue.main`.
public struct AppMainQueue {
    let process: AppProcess

    /// Whether the calling code runs on it. StoreKit promises no queue to its callbacks.
    public var isCurrent: Bool {
        if AppRuntime.isServing { return AppRuntime.isOnMainQueue }
        let device = process.device
        return device.lane.isCurrent
            && (device.rules.callbackQueue == .main || !CallbackContext.isBackground)
    }

    /// Runs `body` on the main queue, later; never, if the app's process ends before.
    public func async(_ body: @escaping () -> Void) { run(after: .zero, body) }

    /// The same after a while.
    public func asyncAfter(seconds: Double, _ body: @escaping () -> Void) {
        run(after: Span(nanoseconds: Int64(max(0, min(seconds, 86_400 * 365)) * 1e9)), body)
    }

    private func run(after delay: Span, _ body: @escaping () -> Void) {
        let device = process.device
        if device.lane.isCurrent {
            device.scheduleBlock(after: delay, from: .mainQueue(of: device.number)) { [process] in
                process.enterBlock(.mainQueueBlock, body)
            }
            return
        }
        let transfer = UnsafeTransfer(body)
        device.performFromOutside(process) { [process] in
            device.scheduleBlock(after: delay, from: .mainQueue(of: device.number)) {
                process.enterBlock(.mainQueueBlock, transfer.value)
            }
        }
    }
}

/// The one object of its type for each app process: what a singleton becomes when many devices share a program.
///
/// `static var shared: Shop { perDevice { Shop() } }`
///
/// For the wall clock and for several workers in one process; else statics are each app's own as they are.
/// Made once in each process, whichever thread asks first; `make` may ask for others.
public func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object {
    CurrentProcess.found(for: "perDevice").processObject(Object.self, orMake: make)
}
