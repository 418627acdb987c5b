// What apps write, behind the fence of effects.
// Guard: confined to the device's lane.

package import Foundation

extension Device {
    /// Of the writes of a call that does not come back, the first ones and the last ones are kept, and of the looks at goods
    /// those that saw others than before: there may be millions.
    ///
    /// - Parameter place: of the first event in the call.
    func forgetWrites(since place: Int) {
        let (first, end) = (place + Self.firstWritesKept, events.count - Self.lastWritesKept)
        guard first < end else { return }
        var (keptEvents, keptPlaces) = ([EventRecord](), [WrittenPlace]())
        var name = 0
        var goods: [ProductIndex: Int] = [:]
        for (place, event) in events.enumerated() {
            let names = name..<min(name + event.nameCount, writtenPlaces.count)
            name = names.upperBound
            var saysNothing = event.nameCount > 0
            if case .goods(let product, let count) = event.event {
                saysNothing = goods.updateValue(count, forKey: product) == count
            }
            if saysNothing, place >= first, place < end { continue }
            keptEvents.append(event)
            keptPlaces += writtenPlaces[names]
        }
        (events, writtenPlaces) = (keptEvents, keptPlaces)
    }

    private static let (firstWritesKept, lastWritesKept) = (1_000, 100)

    /// All changes in one atomic step.
    package func write(_ changes: [StorageChange], from process: AppProcess) {
        guard process.passes(.storageWrite) else { return }
        for (place, change) in changes.enumerated() {
            storage.write(change.key, change.value)
            name(.key(change.key), place)
        }
        becameDurable(changes.count, process)
    }

    /// The same without a list in between: `body` hands over each change once.
    package func write(from process: AppProcess, count: Int, _ body: ((String, StorageValue?) -> Void) -> Void) {
        guard process.passes(.storageWrite) else { return }
        var place = 0
        body {
            storage.write($0, $1)
            name(.key($0), place)
            place += 1
        }
        becameDurable(count, process)
    }

    package func writeFile(_ path: String, _ contents: Data?, from process: AppProcess) {
        guard process.passes(.storageWrite) else { return }
        storage.writeFile(path, contents)
        becameDurable(.file(path), process)
    }

    /// Of the keychain, in one atomic step.
    package func writeSecrets(_ changes: [StorageChange], from process: AppProcess) {
        guard process.passes(.storageWrite) else { return }
        for (place, change) in changes.enumerated() {
            storage.writeSecret(change.key, change.value)
            name(.secret(change.key), place)
        }
        becameDurable(changes.count, process)
    }

    /// The defaults: durable at once, or after the flush delay.
    package func setDefault(_ change: StorageChange, from process: AppProcess) {
        guard process.passes(.storageWrite) else { return }
        if app.flushDelay == .zero {
            storage.write(change.key, change.value)
            return becameDurable(.key(change.key), process)
        }
        storage.writeUnflushed(change)
        if flush == nil {
            flush = schedule(after: app.flushDelay) { [self] in
                flush = nil
                flushNow(process)
            }
        }
    }

    /// Whether the defaults are durable as soon as they are set.
    var flushesAtOnce: Bool { app.flushDelay == .zero }

    package func synchronize(from process: AppProcess) {
        guard storage.hasUnflushed, process.passes(.storageWrite) else { return }
        if let flush { cancel(flush) }
        flush = nil
        flushNow(process)
    }

    private func flushNow(_ process: AppProcess) {
        let keys = storage.flush()
        for (place, key) in keys.enumerated() { name(.key(key), place) }
        becameDurable(keys.count, process)
    }

    /// Client code has changed files of its own, through the system.
    func filesChanged(by process: AppProcess) { if process.isAlive { becameDurable(.file(""), process) } }

    /// What the event to come is about.
    ///
    /// - Parameter place: of the changes in one write, which.
    private func name(_ written: WrittenPlace, _ place: Int) {
        guard place < WrittenPlace.namesMax else { return }
        // One allocation for most devices.
        if writtenPlaces.isEmpty { writtenPlaces.reserveCapacity(8) }
        writtenPlaces.append(written)
    }

    private func becameDurable(_ place: WrittenPlace, _ process: AppProcess) {
        name(place, 0)
        becameDurable(1, process)
    }

    private func becameDurable(_ count: Int, _ process: AppProcess) {
        process.record(.stored(count: count))
        process.noticeDurableWrite()
    }
}

extension EventRecord {
    /// How many names a device keeps beside it.
    fileprivate var nameCount: Int {
        if case .stored(let count) = event { min(count, WrittenPlace.namesMax) } else { 0 }
    }
}
