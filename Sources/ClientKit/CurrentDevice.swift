// Services of the process that each simulated device needs for itself: main queue, queues, defaults, receipt.
// Any thread.

internal import CRuntime
public import Dispatch
public import Foundation
import Simulation
import StoreKit

/// The simulated device that the calling code runs on.
///
/// Client code rarely names it: the file that `stampede glue` prints sends `DispatchQueue.main`,
/// `UserDefaults.standard` and similar calls here. Outside any device these are the system's own.
public enum CurrentDevice {
    /// Stands in for `DispatchQueue.main`. When the app's process ends, its remaining blocks do not run.
    public static var mainQueue: DispatchQueue {
        if AppRuntime.isServing { return .main }
        guard let process = process(for: "DispatchQueue.main") else { return .main }
        return ProcessQueues.of(process).main
    }

    /// Stands in for `DispatchQueue.global(qos:)`: a concurrent queue of this device.
    public static func globalQueue(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
        if AppRuntime.isServing { return .global(qos: qos) }
        guard let process = process(for: "DispatchQueue.global()") else { return .global(qos: qos) }
        return ProcessQueues.of(process).global(qos)
    }

    /// The target of a client's new queue that names none; nil outside any device.
    /// Without a shared target, the queues of thousands of devices would take a thread each.
    public static var queueTarget: DispatchQueue? {
        AppRuntime.isServing || CurrentProcess.found == nil ? nil : .global()
    }

    /// Makes a queue that the client just created belong to this device.
    public static func adopt(_ queue: DispatchQueue, attributes: DispatchQueue.Attributes = []) {
        if AppRuntime.isServing { return }
        // A queue that waits to be activated is left to Dispatch.
        guard let process = process(for: "DispatchQueue(label:)"), !attributes.contains(.initiallyInactive)
        else { return }
        QueueOwner.adopt(queue, into: process, isSerial: !attributes.contains(.concurrent))
    }

    /// Stands in for `OperationQueue.main`.
    public static var mainOperationQueue: OperationQueue {
        guard let process = process(for: "OperationQueue.main") else { return .main }
        return process.processObject(MainOperationQueue.self) { MainOperationQueue(process: process) }
    }

    /// Stands in for `Thread.isMainThread`: whether the caller runs on the device's main queue.
    public static var isMainThread: Bool {
        if AppRuntime.isServing { return AppRuntime.isOnMainQueue }
        guard let process = CurrentProcess.found, !process.device.isStandalone else { return Thread.isMainThread }
        return Holding.hasMain(of: process.device)
    }

    /// Stands in for `DispatchTime.now()`: the simulated time under the virtual clock.
    public static var now: DispatchTime {
        if AppRuntime.isServing { return .now() }
        guard let process = CurrentProcess.found, process.device.lane.isVirtual, process.device.lane.isCurrent
        else { return .now() }
        return virtualTime(process.device.lane.now)
    }

    /// Stands in for `UserDefaults.standard`.
    public static var defaults: UserDefaults {
        guard let process = process(for: "UserDefaults.standard") else { return .standard }
        return process.processObject(DeviceDefaults.self) { DeviceDefaults(process: process) }
    }

    /// Stands in for `UserDefaults(suiteName:)`; nil outside any device.
    static func defaults(ofSuite suite: String?) -> UserDefaults? {
        guard let suite else { return defaults }
        return process(for: "UserDefaults(suiteName:)").map { DeviceDefaults(process: $0, suite: suite) }
    }

    /// Stands in for `NotificationCenter.default`.
    static var notificationCenter: NotificationCenter {
        guard let process = process(for: "NotificationCenter.default") else { return .default }
        return process.processObject(NotificationCenter.self) { NotificationCenter() }
    }

    /// Stands in for `URLSession.shared`; nil where the program has no URL sessions.
    static var urlSession: AnyObject? {
        guard let process = process(for: "URLSession.shared") else { return nil }
        return process.processObject(SharedSession.self) { SharedSession() }.session
    }

    /// The cookies and the cache that this launch's sessions share; nil where the program has no URL sessions.
    static var webStorage: AnyObject? {
        guard let process = CurrentProcess.found, !process.device.isStandalone else { return nil }
        return process.processObject(WebStorage.self) { WebStorage() }.configuration
    }

    /// A session configuration, used for its cookies and its cache alone.
    private final class WebStorage {
        let configuration = stampede_make_web_storage().map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    }

    /// The session whose requests the device answers.
    private final class SharedSession {
        let session: AnyObject?

        init() { session = stampede_make_session().map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() } }
    }

    /// Stands in for `Bundle.main.appStoreReceiptURL`: a copy of the device's current receipt.
    /// While the device has no receipt, no file is there.
    public static var appStoreReceiptURL: URL? {
        let process = CurrentProcess.found(for: "Bundle.appStoreReceiptURL")
        return process.processObject(ReceiptFile.self) { ReceiptFile(process: process) }.url
    }

    /// Stands in for the client file's own `perDevice`.
    public static func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object { ClientKit.perDevice(make) }

    /// The process to act for; nil where the system's own service is meant.
    private static func process(for call: StaticString) -> AppProcess? {
        let process = CurrentProcess.found(for: call)
        return process.device.isStandalone ? nil : process
    }

    // Dispatch reads a time of zero as now.
    private static let virtualEpoch: Int64 = 1_000_000_000

    static func virtualTime(_ instant: Instant) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64(instant.nanoseconds + virtualEpoch))
    }

    /// How long it is until `deadline`; nil if that is never.
    static func wait(until deadline: DispatchTime, on lane: Lane) -> Span? {
        if deadline == .distantFuture { return nil }
        let now = lane.isVirtual ? virtualTime(lane.now) : DispatchTime.now()
        let due = Int64(clamping: deadline.uptimeNanoseconds)
        return Span(nanoseconds: max(0, due - Int64(clamping: now.uptimeNanoseconds)))
    }
}
