// Where this process keeps files of simulated devices; removed when it ends.
// Any thread.

internal import CRuntime
internal import Foundation
internal import Synchronization

package enum RunFolder {
    /// Without symbolic links, so that a resolved path is recognised, and short: the path of a device's home below it
    /// is as long as the path that its app knows.
    private static let temporary: String = {
        let place = FileManager.default.temporaryDirectory.path
        let resolved = realpath(place, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? place
        return path.utf8.count <= lengthMax ? path : "/tmp"
    }()

    private static let lengthMax = 18
    private static let triesMax = 5

    package static var path: String { path(of: getpid()) }

    private static func path(of process: Int32) -> String { "\(temporary)/\(STAMPEDE_RUN_FOLDER)\(process)" }

    /// To be called outside client code, for which the temporary folder is another one.
    static func find() { _ = temporary }

    /// Takes away what processes have left behind that were killed. Before there is client code.
    package static func removeLeftBehind() {
        FolderClaim.removeLeftBehind(in: temporary) { name in
            let number = name.dropFirst(STAMPEDE_RUN_FOLDER.count)
            return name.hasPrefix(STAMPEDE_RUN_FOLDER) && !number.isEmpty && number.allSatisfy(\.isNumber)
        }
    }

    /// The process that holds its folder; others have been forked from it.
    private static let holder = Atomic<Int32>(0)

    package static func make() {
        _ = isRemovedAtExit
        if mkdir(path, 0o700) != 0, holder.load(ordering: .acquiring) == getpid() { return }
        // Somebody may have taken it for left behind just before.
        for _ in 0..<Self.triesMax {
            if FolderClaim.hold(path) != nil { break }
            mkdir(path, 0o700)
        }
        holder.store(getpid(), ordering: .releasing)
    }

    private static let isRemovedAtExit: Void = { atexit { RunFolder.remove() } }()

    /// Takes away what was written.
    package static func remove() { remove(of: getpid()) }

    /// Takes away what another process has written, which cannot do it any more.
    package static func remove(of process: Int32) {
        let folder = path(of: process)
        if access(folder, F_OK) == 0 { try? FileManager.default.removeItem(atPath: folder) }
    }
}
