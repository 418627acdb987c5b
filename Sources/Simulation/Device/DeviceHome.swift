// The files of the app on one device: real ones, in a folder of its own that client code knows as its home.
// Any thread, except what says otherwise.

internal import CRuntime
internal import Foundation
internal import Synchronization

/// A folder of this run, made when client code first names a path in it.
struct DeviceHome: ~Copyable, Sendable {
    /// Counts the homes of this process; 0: there is none yet.
    private let number = Atomic<Int>(0)

    private static let latest = Atomic<Int>(0)
    private static let lock = NSLock()

    /// What an app finds there when it is first launched.
    private static let folders = ["", "/Documents", "/Library", "/Library/Caches", "/Library/Preferences", "/tmp"]

    /// The path on this machine: as long as the one that client code knows, so that what is said of one holds of the other.
    var path: String {
        var number = number.load(ordering: .acquiring)
        if number == 0 { number = make() }
        return Self.path(number)
    }

    private static func path(_ number: Int) -> String {
        let start = RunFolder.path + "/h"
        let digits = String(number)
        let zeros = STAMPEDE_HOME.utf8.count - start.utf8.count - digits.utf8.count
        return start + String(repeating: "0", count: max(0, zeros)) + digits
    }

    private func make() -> Int {
        Self.lock.withLock {
            let known = number.load(ordering: .acquiring)
            if known != 0 { return known }
            let made = Self.latest.add(1, ordering: .relaxed).newValue
            RunFolder.make()
            Self.fill(Self.path(made))
            number.store(made, ordering: .releasing)
            return made
        }
    }

    private static func fill(_ path: String) {
        for folder in folders { mkdir(path + folder, 0o700) }
    }

    /// The app is deleted, and its files with it. Where no client code runs.
    func erase() {
        let number = number.load(ordering: .acquiring)
        if number == 0 { return }
        remove()
        Self.fill(Self.path(number))
    }

    /// Where no client code runs.
    func remove() {
        let number = number.load(ordering: .acquiring)
        if number != 0 { try? FileManager.default.removeItem(atPath: Self.path(number)) }
    }
}

extension AppProcess {
    /// The app is about to change a file. False if it ended before it could.
    ///
    /// Away from the lane the lane is told when the file has changed.
    func changesFile() -> Bool { device.lane.isCurrent ? passes(.storageWrite) : isAlive }

    /// The file is as it is to be.
    func changedFile() {
        if device.lane.isCurrent { return device.filesChanged(by: self) }
        device.performInOrder { [self] in
            record(.calledOffLane)
            if passes(.storageWrite) { device.filesChanged(by: self) }
        }
    }
}
