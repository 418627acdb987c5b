// Printed by `stampede glue`. Add this file, unchanged, to the module that contains your purchase code.
// The module then depends on Stampede: `.product(name: "Stampede", package: "stampede")` in Package.swift.
// A test module that imports yours with `@testable` needs this file too: otherwise it sees every name below twice.
//
// Under Stampede many simulated devices share one program. For this module's code, these members replace the
// system's members of the same name, and use the device that the calling code runs on. Without the harness they
// behave like the system's.

public import Dispatch
public import Foundation
import Stampede

extension DispatchQueue {
    @usableFromInline class var main: DispatchQueue { CurrentDevice.mainQueue }

    @usableFromInline class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
        CurrentDevice.globalQueue(qos: qos)
    }

    @usableFromInline convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit
    ) {
        self.init(
            label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency,
            target: CurrentDevice.queueTarget as DispatchQueue?)
        CurrentDevice.adopt(self, attributes: attributes)
    }

    @usableFromInline convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit, target: DispatchQueue
    ) {
        self.init(
            label: label, qos: qos, attributes: attributes, autoreleaseFrequency: autoreleaseFrequency,
            target: target as DispatchQueue?)
        CurrentDevice.adopt(self, attributes: attributes)
    }

    @preconcurrency
    @usableFromInline func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        CurrentDevice.async(on: self, group: group, qos: qos, flags: flags, execute: work)
    }

    @usableFromInline func async(execute workItem: DispatchWorkItem) {
        CurrentDevice.async(on: self, execute: workItem)
    }

    @usableFromInline func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        CurrentDevice.async(on: self, group: group, execute: workItem)
    }

    @preconcurrency
    @usableFromInline func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        CurrentDevice.asyncAfter(on: self, deadline: deadline, qos: qos, flags: flags, execute: work)
    }

    @usableFromInline func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        CurrentDevice.asyncAfter(on: self, deadline: deadline, execute: workItem)
    }

    @usableFromInline func sync(execute work: () -> Void) { CurrentDevice.sync(on: self, execute: work) }

    @usableFromInline func sync(execute workItem: DispatchWorkItem) {
        CurrentDevice.sync(on: self) { workItem.perform() }
    }

    @usableFromInline func sync<T>(execute work: () throws -> T) rethrows -> T {
        try CurrentDevice.sync(on: self, execute: work)
    }

    @usableFromInline func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T {
        try CurrentDevice.sync(on: self, flags: flags, execute: work)
    }

    @usableFromInline class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
        CurrentDevice.concurrentPerform(iterations: iterations, execute: work)
    }

    @usableFromInline class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { CurrentDevice.specific(for: key) }
}

extension DispatchTime {
    @usableFromInline static func now() -> DispatchTime { CurrentDevice.now }
}

extension DispatchGroup {
    @usableFromInline func leave() { CurrentDevice.leave(self) }

    @usableFromInline func notify(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
        execute work: @escaping @convention(block) () -> Void
    ) {
        CurrentDevice.notify(self, qos: qos, flags: flags, queue: queue, execute: work)
    }

    @usableFromInline func notify(queue: DispatchQueue, work: DispatchWorkItem) {
        CurrentDevice.notify(self, queue: queue, work: work)
    }

    @usableFromInline func wait() { CurrentDevice.wait(for: self) }

    @usableFromInline func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        CurrentDevice.wait(for: self, until: timeout)
    }
}

extension DispatchSemaphore {
    @usableFromInline func wait() { CurrentDevice.wait(for: self) }

    @usableFromInline func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
        CurrentDevice.wait(for: self, until: timeout)
    }
}

/// The module's own function takes precedence over Dispatch's.
@usableFromInline func dispatchPrecondition(
    condition: @autoclosure () -> DispatchPredicate, file: StaticString = #file, line: UInt = #line
) {
    CurrentDevice.precondition(condition(), file: file, line: line)
}

extension OperationQueue {
    @usableFromInline class var main: OperationQueue { CurrentDevice.mainOperationQueue }
}

extension Thread {
    @usableFromInline class var isMainThread: Bool { CurrentDevice.isMainThread }
}

extension UserDefaults {
    @usableFromInline class var standard: UserDefaults { CurrentDevice.defaults }
}

extension Bundle {
    @usableFromInline var appStoreReceiptURL: URL? { CurrentDevice.appStoreReceiptURL }
}

/// Write a singleton as `static var shared: Shop { perDevice { Shop() } }`: each simulated app has its own object.
@usableFromInline func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object { CurrentDevice.perDevice(make) }
