// Whether the network can be reached, through the functions that most classes named `Reachability` use.
// Any thread; `lock` guards a reference's callback, context and queue.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported public import AppleCoreTypes
public import Foundation
internal import Simulation
internal import StoreKit

/// How the network can be reached.
public struct SCNetworkReachabilityFlags: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let transientConnection = SCNetworkReachabilityFlags(rawValue: 1 << 0)
    public static let reachable = SCNetworkReachabilityFlags(rawValue: 1 << 1)
    public static let connectionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 2)
    public static let connectionOnTraffic = SCNetworkReachabilityFlags(rawValue: 1 << 3)
    public static let interventionRequired = SCNetworkReachabilityFlags(rawValue: 1 << 4)
    public static let connectionOnDemand = SCNetworkReachabilityFlags(rawValue: 1 << 5)
    public static let isLocalAddress = SCNetworkReachabilityFlags(rawValue: 1 << 16)
    public static let isDirect = SCNetworkReachabilityFlags(rawValue: 1 << 17)
    public static let isWWAN = SCNetworkReachabilityFlags(rawValue: 1 << 18)
    public static let connectionAutomatic: SCNetworkReachabilityFlags = .connectionOnTraffic
}

/// A callback for each change.
/// A Swift closure, because C has no classes here; a closure without captures fits unchanged.
public typealias SCNetworkReachabilityCallBack = (
    SCNetworkReachability, SCNetworkReachabilityFlags, UnsafeMutableRawPointer?
) -> Void

/// A value to pass to a callback, with functions that retain and release it.
public struct SCNetworkReachabilityContext {
    public var version: Int
    public var info: UnsafeMutableRawPointer?
    public var retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?
    public var release: ((UnsafeRawPointer) -> Void)?
    public var copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?

    public init(
        version: Int, info: UnsafeMutableRawPointer?, retain: ((UnsafeRawPointer) -> UnsafeRawPointer)?,
        release: ((UnsafeRawPointer) -> Void)?, copyDescription: ((UnsafeRawPointer) -> Unmanaged<CFString>)?
    ) {
        self.version = version
        self.info = info
        self.retain = retain
        self.release = release
        self.copyDescription = copyDescription
    }
}

/// Watches the device's network. Either every name and address can be reached, or none.
public final class SCNetworkReachability: @unchecked Sendable {  // Guard: `lock`.
    private let process: AppProcess
    private let lock = NSLock()
    private var callback: SCNetworkReachabilityCallBack?
    private var context: SCNetworkReachabilityContext?
    private var queue: DispatchQueue?
    private var watch: LinkWatch?

    fileprivate init() { process = CurrentProcess.found(for: "SCNetworkReachability") }

    deinit {
        watch?.end()
        release(context)
    }

    fileprivate var flags: SCNetworkReachabilityFlags { process.isOnline ? .reachable : [] }

    fileprivate func set(_ callback: SCNetworkReachabilityCallBack?, _ context: SCNetworkReachabilityContext?) {
        var context = context
        if let info = context?.info, let retained = context?.retain?(info) {
            context?.info = UnsafeMutableRawPointer(mutating: retained)
        }
        let former = lock.withLock {
            defer { (self.callback, self.context) = (callback, context) }
            return self.context
        }
        release(former)
    }

    private func release(_ context: SCNetworkReachabilityContext?) {
        if let info = context?.info { context?.release?(info) }
    }

    fileprivate func tellOn(_ queue: DispatchQueue?) {
        let next = queue.map { _ in process.watchLink(from: process.isOnline) { [weak self] in self?.changed($0) } }
        let former = lock.withLock {
            self.queue = queue
            defer { watch = next }
            return watch
        }
        former?.end()
    }

    private func changed(_ isOnline: Bool) {
        lock.withLock { queue }?.async { [weak self] in
            guard let self else { return }
            let (callback, info) = lock.withLock { (self.callback, context?.info) }
            callback?(self, isOnline ? .reachable : [], info)
        }
    }
}

public func SCNetworkReachabilityCreateWithAddress(
    _ allocator: CFAllocator?, _ address: UnsafePointer<sockaddr>
) -> SCNetworkReachability? {
    SCNetworkReachability()
}

public func SCNetworkReachabilityCreateWithName(
    _ allocator: CFAllocator?, _ nodename: UnsafePointer<CChar>
) -> SCNetworkReachability? {
    SCNetworkReachability()
}

@discardableResult
public func SCNetworkReachabilityGetFlags(
    _ target: SCNetworkReachability, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>
) -> Bool {
    flags.pointee = target.flags
    return true
}

@discardableResult
public func SCNetworkReachabilitySetCallback(
    _ target: SCNetworkReachability, _ callout: SCNetworkReachabilityCallBack?,
    _ context: UnsafeMutablePointer<SCNetworkReachabilityContext>?
) -> Bool {
    target.set(callout, context?.pointee)
    return true
}

/// Sets the queue for callbacks; nil stops them.
@discardableResult
public func SCNetworkReachabilitySetDispatchQueue(_ target: SCNetworkReachability, _ queue: DispatchQueue?) -> Bool {
    target.tellOn(queue)
    return true
}

/// Delivers callbacks on the main queue, which also serves the main run loop.
@discardableResult
public func SCNetworkReachabilityScheduleWithRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.tellOn(.main)
    return true
}

@discardableResult
public func SCNetworkReachabilityUnscheduleFromRunLoop(
    _ target: SCNetworkReachability, _ runLoop: CFRunLoop, _ runLoopMode: CFString
) -> Bool {
    target.tellOn(nil)
    return true
}
