// The device as an app sees it: storage, main queue, products, receipt and clock.
// Call it on the device's main queue. Calls from other threads are forwarded to that queue.

public import Foundation
package import Simulation
import StoreKit

/// The device that an app runs on, with its storage, main queue and products.
public final class AppEnvironment: @unchecked Sendable {  // Guard: the device's main queue.
    /// A product that the app sells: its identifier and its kind.
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

    /// The products that the app sells, in the catalog's order.
    public let products: [Product]
    /// The client's options, as the scenario sets them.
    public let options: [String: String]
    public let defaults: AppDefaults
    public let files: AppFiles
    public let main: AppMainQueue

    let process: AppProcess
    /// Belongs to the process and ends with it: requests that the process's end leaves unanswered keep no owner alive.
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

    /// The environment of the simulated app whose code is running.
    /// It is the same object that the app's client was given.
    public static var current: AppEnvironment {
        let process = CurrentProcess.found(for: "AppEnvironment.current")
        return process.processObject(AppEnvironment.self) {
            AppEnvironment(process: process, facts: process.facts as? AppFacts ?? AppFacts(products: [], options: [:]))
        }
    }

    /// Writes several keys in one atomic step: a crash leaves all of them or none.
    /// On the main queue the write is durable when this returns.
    /// On another thread the write joins the main queue before every later call of the app; reads see it at once.
    public func write(_ changes: [(key: String, value: AppValue?)]) {
        guard process.device.lane.isCurrent else {
            return process.device.writeFromOutside(
                .keys(changes.map { StorageChange($0.key, $0.value?.stored) }), from: process)
        }
        process.device.write(from: process, count: changes.count) { put in
            for change in changes { put(change.key, change.value?.stored) }
        }
    }

    /// The number stored under a key that would survive a crash now; 0 if there is none.
    public func durableInteger(_ key: String) -> Int {
        if case .integer(let value) = durable(key) { return value }
        return 0
    }

    /// The text stored under a key that would survive a crash now; empty if there is none.
    public func durableText(_ key: String) -> String {
        if case .text(let value) = durable(key) { return value }
        return ""
    }

    /// The receipt on the device; nil before the first purchase.
    /// StoreKit updates it when a purchase, a restore or a refresh completes, and before it announces a revocation.
    public var receipt: AppReceipt? {
        guard let receipt = process.device.receipt else {
            process.remarkMissingReceipt()
            return nil
        }
        return AppReceipt(receipt, of: process.device)
    }
    /// Whether the device has a receipt. Cheaper than reading `receipt`.
    public var hasReceipt: Bool {
        if !process.device.hasReceipt { process.remarkMissingReceipt() }
        return process.device.hasReceipt
    }

    /// The time on the device: simulated under the virtual clock.
    public var now: Date { process.device.lane.date }

    /// Whether a value that would survive a crash now is stored under a key.
    public func hasDurable(_ key: String) -> Bool { durable(key) != nil }

    private func durable(_ key: String) -> StorageValue? { process.durableValue(key) }

    /// Reports a state that the app does not allow.
    /// The app's process crashes, and the harness continues.
    public func assertionFailed() { process.raiseAnywhere(.failedAssertion) }
}

/// Facts about an app that its authors know: its products and its options.
package final class AppFacts: Sendable {
    let products: [AppEnvironment.Product]
    let options: [String: String]

    package init(products: [AppEnvironment.Product], options: [String: String]) {
        self.products = products
        self.options = options
    }
}

/// A value that an app can store under a key.
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

/// The app's user defaults on its device.
///
/// If the scenario sets a flush delay, a crash loses values set within that delay and not synchronised.
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

    /// Makes every value set so far durable.
    public func synchronize() {
        if process.device.lane.isCurrent { return process.device.synchronize(from: process) }
        process.device.performFromOutside(process) { [process] in process.device.synchronize(from: process) }
    }
}

/// The app's files. Each write replaces a whole file and is durable when it returns.
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
    /// How many observers the app's payment queue has now.
    package var observerCount: Int { SKPaymentQueue.default().transactionObservers.count }
}

/// The device's main queue, for code that would use `DispatchQueue.main`.
public struct AppMainQueue {
    let process: AppProcess

    /// Whether the calling code runs on the main queue. StoreKit promises no queue for its callbacks.
    public var isCurrent: Bool {
        if AppRuntime.isServing { return AppRuntime.isOnMainQueue }
        let device = process.device
        return device.lane.isCurrent
            && (device.rules.callbackQueue == .main || !CallbackContext.isBackground)
    }

    /// Runs `body` on the main queue later. If the app's process ends first, `body` never runs.
    public func async(_ body: @escaping () -> Void) { run(after: .zero, body) }

    /// Runs `body` on the main queue after `seconds`. If the app's process ends first, `body` never runs.
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

/// Returns the app process's one object of its type: a singleton for each device.
///
/// `static var shared: Shop { perDevice { Shop() } }`
///
/// Needed for the wall clock and for several workers in one process; otherwise each app has its own statics anyway.
/// The first caller in a process makes the object, on any thread; `make` may ask for other such objects.
public func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object {
    CurrentProcess.found(for: "perDevice").processObject(Object.self, orMake: make)
}
