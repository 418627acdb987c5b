// Printed by `stampede glue`. Add this one file to the module that holds your purchase code, and change nothing in it.
// That module depends on Stampede then: `.product(name: "Stampede", package: "stampede")` in Package.swift.
// A test module that imports yours with `@testable` adds it too: otherwise it sees two of everything below.
//
// Under Stampede many simulated devices share one program. These members stand, for this module's code, in front of
// the system's of the same name, and lead to the device that the calling code runs on. Where no harness runs they are
// the system's.

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

/// The module's own: it wins over Dispatch's.
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

/// What a singleton becomes: `static var shared: Shop { perDevice { Shop() } }`. One object for each simulated app.
@usableFromInline func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object { CurrentDevice.perDevice(make) }
