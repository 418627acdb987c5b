// A monitor of the device's network, as an app has it.
// Any thread; `lock` guards what it knows.

public import Foundation
internal import Simulation
internal import StoreKit

/// Tells whether the device has a network: at the start, and then whenever it loses it or finds it again, which a scenario
/// has it do.
public final class NWPathMonitor: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let required: NWInterface.InterfaceType?
    private let prohibited: [NWInterface.InterfaceType]
    private var handler: (@Sendable (NWPath) -> Void)?
    private var path: NWPath
    private var target: DispatchQueue?
    private var watch: LinkWatch?
    private var isCancelled = false

    /// Of any interface.
    public convenience init() { self.init(required: nil, prohibited: []) }
    public convenience init(requiredInterfaceType: NWInterface.InterfaceType) {
        self.init(required: requiredInterfaceType, prohibited: [])
    }
    public convenience init(prohibitedInterfaceTypes: [NWInterface.InterfaceType]) {
        self.init(required: nil, prohibited: prohibitedInterfaceTypes)
    }

    private init(required: NWInterface.InterfaceType?, prohibited: [NWInterface.InterfaceType]) {
        self.required = required
        self.prohibited = prohibited
        path = NWPath(isOnline: false, required: required, prohibited: prohibited)
    }

    deinit { watch?.end() }

    /// Called on the queue that `start(queue:)` was given.
    @preconcurrency
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }

    /// Before the start there is none.
    public var currentPath: NWPath { lock.withLock { path } }

    public var queue: DispatchQueue? { lock.withLock { target } }

    /// Once; one that was cancelled does not start again.
    public func start(queue: DispatchQueue) {
        let process = CurrentProcess.found(for: "NWPathMonitor")
        let isOnline = process.isOnline
        let isFirst = lock.withLock {
            guard target == nil, !isCancelled else { return false }
            target = queue
            return true
        }
        guard isFirst else { return }
        update(isOnline)
        let watch = process.watchLink(from: isOnline) { [weak self] in self?.update($0) }
        let isTooLate = lock.withLock {
            self.watch = watch
            return isCancelled
        }
        if isTooLate { watch.end() }
    }

    public func cancel() {
        let watch = lock.withLock {
            isCancelled = true
            handler = nil
            defer { self.watch = nil }
            return self.watch
        }
        watch?.end()
    }

    private func update(_ isOnline: Bool) {
        let path = NWPath(isOnline: isOnline, required: required, prohibited: prohibited)
        let queue = lock.withLock {
            self.path = path
            return target
        }
        queue?.async { [weak self] in self?.pathUpdateHandler?(path) }
    }
}
