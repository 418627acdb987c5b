// What the process offers to client code and must be each simulated device's own: main queue, queues, defaults, receipt.
// Any thread.

internal import CRuntime
public import Dispatch
public import Foundation
import Simulation
import StoreKit

/// The simulated device that the calling code runs on.
///
/// Client code rarely names it: the file that `stampede glue` prints makes `DispatchQueue.main`,
/// `UserDefaults.standard` and their like ask here. Outside any device everything is as the system has it.
public enum CurrentDevice {
    /// For `DispatchQueue.main`. Blocks put on it end with the app's process.
    public static var mainQueue: DispatchQueue {
        if AppRuntime.isServing { return .main }
        guard let process = process(for: "DispatchQueue.main") else { return .main }
        return ProcessQueues.of(process).main
    }

    /// For `DispatchQueue.global(qos:)`: concurrent, and of this device.
    public static func globalQueue(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue {
        if AppRuntime.isServing { return .global(qos: qos) }
        guard let process = process(for: "DispatchQueue.global()") else { return .global(qos: qos) }
        return ProcessQueues.of(process).global(qos)
    }

    /// What a new queue of the client targets unless it says otherwise: thousands of devices' queues must not take a
    /// thread each.
    public static var queueTarget: DispatchQueue? {
        AppRuntime.isServing || CurrentProcess.found == nil ? nil : .global()
    }

    /// Makes a queue that the client has just made one of this device's.
    public static func adopt(_ queue: DispatchQueue, attributes: DispatchQueue.Attributes = []) {
        if AppRuntime.isServing { return }
        // One that waits to be activated is left to Dispatch.
        guard let process = process(for: "DispatchQueue(label:)"), !attributes.contains(.initiallyInactive)
        else { return }
        QueueOwner.adopt(queue, into: process, isSerial: !attributes.contains(.concurrent))
    }

    /// For `OperationQueue.main`.
    public static var mainOperationQueue: OperationQueue {
        guard let process = process(for: "OperationQueue.main") else { return .main }
        return process.processObject(MainOperationQueue.self) { MainOperationQueue(process: process) }
    }

    /// For `Thread.isMainThread`: whether the caller runs on the device's main queue.
    public static var isMainThread: Bool {
        if AppRuntime.isServing { return AppRuntime.isOnMainQueue }
        guard let process = CurrentProcess.found, !process.device.isStandalone else { return Thread.isMainThread }
        return Holding.hasMain(of: process.device)
    }

    /// For `DispatchTime.now()`: the simulated time under the virtual clock.
    public static var now: DispatchTime {
        if AppRuntime.isServing { return .now() }
        guard let process = CurrentProcess.found, process.device.lane.isVirtual, process.device.lane.isCurrent
        else { return .now() }
        return virtualTime(process.device.lane.now)
    }

    /// For `UserDefaults.standard`.
    public static var defaults: UserDefaults {
        guard let process = process(for: "UserDefaults.standard") else { return .standard }
        return process.processObject(DeviceDefaults.self) { DeviceDefaults(process: process) }
    }

    /// For `UserDefaults(suiteName:)`; nil outside any device.
    static func defaults(ofSuite suite: String?) -> UserDefaults? {
        guard let suite else { return defaults }
        return process(for: "UserDefaults(suiteName:)").map { DeviceDefaults(process: $0, suite: suite) }
    }

    /// For `NotificationCenter.default`.
    static var notificationCenter: NotificationCenter {
        guard let process = process(for: "NotificationCenter.default") else { return .default }
        return process.processObject(NotificationCenter.self) { NotificationCenter() }
    }

    /// For `URLSession.shared`; nil where the program does without it.
    static var urlSession: AnyObject? {
        guard let process = process(for: "URLSession.shared") else { return nil }
        return process.processObject(SharedSession.self) { SharedSession() }.session
    }

    /// The cookies and the cache that this launch's sessions share; nil where the program does without them.
    static var webStorage: AnyObject? {
        guard let process = CurrentProcess.found, !process.device.isStandalone else { return nil }
        return process.processObject(WebStorage.self) { WebStorage() }.configuration
    }

    /// A configuration, of which only these two are used.
    private final class WebStorage {
        let configuration = stampede_make_web_storage().map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    }

    /// Whose requests the device answers.
    private final class SharedSession {
        let session: AnyObject?

        init() { session = stampede_make_session().map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() } }
    }

    /// For `Bundle.main.appStoreReceiptURL`: a copy of the receipt as the device has it now; no file is there while the device
    /// has none.
    public static var appStoreReceiptURL: URL? {
        let process = CurrentProcess.found(for: "Bundle.appStoreReceiptURL")
        return process.processObject(ReceiptFile.self) { ReceiptFile(process: process) }.url
    }

    /// For the file's own `perDevice`.
    public static func perDevice<Object: AnyObject>(_ make: () -> Object) -> Object { ClientKit.perDevice(make) }

    /// The process to act for; nil where the system's own is meant.
    private static func process(for call: StaticString) -> AppProcess? {
        let process = CurrentProcess.found(for: call)
        return process.device.isStandalone ? nil : process
    }

    // Dispatch takes a time of zero for now.
    private static let virtualEpoch: Int64 = 1_000_000_000

    static func virtualTime(_ instant: Instant) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: UInt64(instant.nanoseconds + virtualEpoch))
    }

    /// How long it is until then; nil for never.
    static func wait(until deadline: DispatchTime, on lane: Lane) -> Span? {
        if deadline == .distantFuture { return nil }
        let now = lane.isVirtual ? virtualTime(lane.now) : DispatchTime.now()
        let due = Int64(clamping: deadline.uptimeNanoseconds)
        return Span(nanoseconds: max(0, due - Int64(clamping: now.uptimeNanoseconds)))
    }
}
