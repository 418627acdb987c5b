// A monitor of the device's network, as an app uses it.
// Any thread; `lock` guards its state.

public import Foundation
internal import Simulation
internal import StoreKit

/// Reports whether the device has a network.
/// It reports at the start, and at every change that the scenario makes.
public final class NWPathMonitor: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private let required: NWInterface.InterfaceType?
    private let prohibited: [NWInterface.InterfaceType]
    private var handler: (@Sendable (NWPath) -> Void)?
    private var path: NWPath
    private var target: DispatchQueue?
    private var watch: LinkWatch?
    private var isCancelled = false

    /// Makes a monitor of any interface.
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

    /// The handler of each change, called on the queue that the app passed to `start(queue:)`.
    @preconcurrency
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { lock.withLock { handler } }
        set { lock.withLock { handler = newValue } }
    }

    /// The latest path; unsatisfied before the start.
    public var currentPath: NWPath { lock.withLock { path } }

    public var queue: DispatchQueue? { lock.withLock { target } }

    /// Starts the monitor, once. A cancelled monitor does not start again.
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
