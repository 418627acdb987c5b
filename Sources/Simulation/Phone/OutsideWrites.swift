// Requests of client code away from its device's lane. The lane performs them in the order of the calls, before any
// later call from anywhere. Client code reads at once what it wrote.
// Any thread, except members that say otherwise; guard: the device's `outsideLock`.

package import Foundation
internal import Synchronization

/// Calls that wait for the lane, and what they are going to write.
struct OutsideCallList {
    fileprivate var bodies: [@Sendable () -> Void] = []
    fileprivate var written: [WrittenPlace: Written] = [:]

    fileprivate struct Written {
        var value: StorageValue?
        /// What a crash would leave, once it is there; nil where only the defaults, which are flushed later, change.
        var durable: StorageValue??
        /// How many such writes are under way, all of one process.
        var count: Int
        let process: Int
    }
}

/// One write of an app, before it has taken hold.
package enum OutsideWrite: Sendable {
    /// In one atomic step.
    case keys([StorageChange])
    case setting(StorageChange)
    case file(String, Data?)
    /// Of the keychain, in one atomic step.
    case secrets([StorageChange])
}

extension Device {
    /// For devices whose lane is alone with its storage, which client code leaves rarely.
    private static let sharedLock = NSLock()

    private var outsideLock: NSLock { storage.lock ?? Self.sharedLock }

    private var hasOutsideCalls: Bool { outsideCallCount.load(ordering: .acquiring) != 0 }

    /// Runs `body` on the lane, in its turn, for a caller elsewhere.
    package func performInOrder(_ body: @escaping @Sendable () -> Void) {
        add(body)
        awaitTurn()
    }

    private func add(_ body: @escaping @Sendable () -> Void) {
        outsideLock.withLock { append(body) }
    }

    private func append(_ body: @escaping @Sendable () -> Void) {
        outsideCalls.bodies.append(body)
        outsideCallCount.add(1, ordering: .releasing)
    }

    /// Sends one event for each call: the next waiting call has its turn, if any is left.
    private func awaitTurn() {
        sendFromOutside { [self] in runNextCall() }
    }

    /// On the lane: whatever was asked for elsewhere comes before what is done here now.
    package func catchUp() {
        guard hasOutsideCalls, !isCatchingUp, !isReadingGoods else { return }
        while runNextCall() {}
    }

    @discardableResult
    private func runNextCall() -> Bool {
        // A call that waits for the lane within another call must not let a third one overtake.
        guard hasOutsideCalls, !isCatchingUp else { return false }
        let body: (@Sendable () -> Void)? = outsideLock.withLock {
            if outsideCalls.bodies.isEmpty { return nil }
            outsideCallCount.subtract(1, ordering: .releasing)
            return outsideCalls.bodies.removeFirst()
        }
        guard let body else { return false }
        isCatchingUp = true
        body()
        isCatchingUp = false
        return true
    }

    /// What will never run: it retains the device.
    func dropOutsideCalls() {
        guard hasOutsideCalls else { return }
        // Freed outside the lock.
        let dropped = outsideLock.withLock {
            defer { outsideCalls = OutsideCallList() }
            outsideCallCount.store(0, ordering: .releasing)
            return outsideCalls
        }
        withExtendedLifetime(dropped) {}
    }

    // MARK: Writing

    /// Writes for a caller elsewhere. What was written is read at once, and takes hold, or not, on the lane.
    ///
    /// - Parameter isNoted: whether an event tells that the app left its lane.
    package func writeFromOutside(_ write: OutsideWrite, from app: any AppPort, isNoted: Bool = true) {
        let notes = isNoted && !CallbackContext.isBackground
        let apply: @Sendable () -> Void = { [self] in
            if notes { record(.calledOffLane, of: app) }
            perform(write, from: app)
            forget(write, of: app)
        }
        let isUnderWay = outsideLock.withLock {
            // The end of a process clears this list under the same lock.
            guard app.isAlive else { return false }
            note(write, of: app)
            append(apply)
            return true
        }
        if isUnderWay { awaitTurn() }
    }

    private func perform(_ write: OutsideWrite, from app: any AppPort) {
        switch write {
        case .keys(let changes): self.write(changes, from: app)
        case .setting(let change): setDefault(change, from: app)
        case .file(let path, let contents): writeFile(path, contents, from: app)
        case .secrets(let changes): writeSecrets(changes, from: app)
        }
    }

    private func note(_ write: OutsideWrite, of app: any AppPort) {
        switch write {
        case .keys(let changes):
            for change in changes { note(.key(change.key), change.value, isDurable: true, app) }
        case .setting(let change): note(.key(change.key), change.value, isDurable: flushesAtOnce, app)
        case .file(let path, let contents): note(.file(path), contents.map { .bytes($0) }, isDurable: true, app)
        case .secrets(let changes):
            for change in changes { note(.secret(change.key), change.value, isDurable: true, app) }
        }
    }

    private func note(_ place: WrittenPlace, _ value: StorageValue?, isDurable: Bool, _ app: any AppPort) {
        let earlier = outsideCalls.written[place]
        outsideCalls.written[place] = OutsideCallList.Written(
            value: value, durable: isDurable ? .some(value) : earlier?.durable ?? nil, count: (earlier?.count ?? 0) + 1,
            process: app.number)
    }

    private func forget(_ write: OutsideWrite, of app: any AppPort) {
        outsideLock.withLock {
            switch write {
            case .keys(let changes): for change in changes { forget(.key(change.key), app) }
            case .setting(let change): forget(.key(change.key), app)
            case .file(let path, _): forget(.file(path), app)
            case .secrets(let changes): for change in changes { forget(.secret(change.key), app) }
            }
        }
    }

    private func forget(_ place: WrittenPlace, _ app: any AppPort) {
        guard var written = outsideCalls.written[place], written.process == app.number else { return }
        written.count -= 1
        outsideCalls.written[place] = written.count == 0 ? nil : written
    }

    /// The process that wrote it has ended: nothing of it takes hold any more.
    func forgetOutsideWrites() {
        if hasOutsideCalls || isCatchingUp { outsideLock.withLock { outsideCalls.written = [:] } }
    }

    // MARK: Reading

    /// What stands under a key, or a crash now would leave there, for a caller anywhere.
    package func storedValue(_ key: String, isDurable: Bool) -> StorageValue? {
        // Nearly always: and without a closure.
        if lane.isCurrent {
            catchUp()
            return isDurable ? storage.durableValue(key) : storage.value(key)
        }
        if let written = written(.key(key)), let value = isDurable ? written.durable : .some(written.value) {
            return value
        }
        return readStorage { isDurable ? $0.durableValue(key) : $0.value(key) } ?? nil
    }

    package func storedFile(_ path: String) -> Data? {
        if lane.isCurrent {
            catchUp()
        } else if let written = written(.file(path)) {
            if case .bytes(let contents) = written.value { return contents }
            return nil
        }
        return readStorage { $0.file(path) } ?? nil
    }

    /// Everything that the running app reads, by key.
    package var storedValues: [String: StorageValue] {
        if lane.isCurrent { catchUp() }
        // Asked first: what has taken hold in between is found in the storage.
        let written = lane.isCurrent ? [:] : outsideLock.withLock { outsideCalls.written }
        var values = readStorage { $0.values } ?? [:]
        for (place, written) in written { if case .key(let key) = place { values[key] = written.value } }
        return values
    }

    /// What the keychain holds, by key.
    package var storedSecrets: [String: StorageValue] {
        if lane.isCurrent {
            catchUp()
            return storage.secrets
        }
        let written = outsideLock.withLock { outsideCalls.written }
        var secrets = readStorage { $0.secrets } ?? [:]
        for (place, written) in written { if case .secret(let key) = place { secrets[key] = written.value } }
        return secrets
    }

    private func written(_ place: WrittenPlace) -> OutsideCallList.Written? {
        hasOutsideCalls || storage.lock != nil ? outsideLock.withLock { outsideCalls.written[place] } : nil
    }
}
