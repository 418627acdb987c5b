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
    package func write(_ changes: [StorageChange], from app: any AppPort) {
        guard app.passes(.storageWrite) else { return }
        for (place, change) in changes.enumerated() {
            storage.write(change.key, change.value)
            name(.key(change.key), place)
        }
        becameDurable(changes.count, app)
    }

    /// The same without a list in between: `body` hands over each change once.
    package func write(from app: any AppPort, count: Int, _ body: ((String, StorageValue?) -> Void) -> Void) {
        guard app.passes(.storageWrite) else { return }
        var place = 0
        body {
            storage.write($0, $1)
            name(.key($0), place)
            place += 1
        }
        becameDurable(count, app)
    }

    package func writeFile(_ path: String, _ contents: Data?, from app: any AppPort) {
        guard app.passes(.storageWrite) else { return }
        storage.writeFile(path, contents)
        becameDurable(.file(path), app)
    }

    /// Of the keychain, in one atomic step.
    package func writeSecrets(_ changes: [StorageChange], from app: any AppPort) {
        guard app.passes(.storageWrite) else { return }
        for (place, change) in changes.enumerated() {
            storage.writeSecret(change.key, change.value)
            name(.secret(change.key), place)
        }
        becameDurable(changes.count, app)
    }

    /// The defaults: durable at once, or after the flush delay.
    package func setDefault(_ change: StorageChange, from app: any AppPort) {
        guard app.passes(.storageWrite) else { return }
        if conditions.flushDelay == .zero {
            storage.write(change.key, change.value)
            return becameDurable(.key(change.key), app)
        }
        storage.writeUnflushed(change)
        if flush == nil {
            flush = schedule(after: conditions.flushDelay) { [self] in
                flush = nil
                flushNow(app)
            }
        }
    }

    /// Whether the defaults are durable as soon as they are set.
    var flushesAtOnce: Bool { conditions.flushDelay == .zero }

    package func synchronize(from app: any AppPort) {
        guard storage.hasUnflushed, app.passes(.storageWrite) else { return }
        if let flush { cancel(flush) }
        flush = nil
        flushNow(app)
    }

    /// A crash: what was not flushed never was.
    func loseUnflushed(_ app: any AppPort) {
        let keys = storage.loseUnflushed()
        if keys.isEmpty { return }
        name(keys)
        record(.writesLost(count: keys.count), of: app)
    }

    private func flushNow(_ app: any AppPort) {
        let keys = storage.flush()
        name(keys)
        becameDurable(keys.count, app)
    }

    /// Client code has changed files of its own, through the system.
    func filesChanged(by app: any AppPort) { if app.isAlive { becameDurable(.file(""), app) } }

    /// What the event to come is about.
    ///
    /// - Parameter place: of the changes in one write, which.
    private func name(_ written: WrittenPlace, _ place: Int) {
        guard place < WrittenPlace.namesMax else { return }
        // One allocation for most devices.
        if writtenPlaces.isEmpty { writtenPlaces.reserveCapacity(8) }
        writtenPlaces.append(written)
    }

    private func name(_ keys: [String]) { for (place, key) in keys.enumerated() { name(.key(key), place) } }

    private func becameDurable(_ place: WrittenPlace, _ app: any AppPort) {
        name(place, 0)
        becameDurable(1, app)
    }

    private func becameDurable(_ count: Int, _ app: any AppPort) {
        record(.stored(count: count), of: app)
        app.noticeDurableWrite()
    }
}

extension EventRecord {
    /// How many names a device keeps beside it.
    fileprivate var nameCount: Int {
        switch event {
        case .stored(let count), .writesLost(let count): min(count, WrittenPlace.namesMax)
        default: 0
        }
    }
}
