// Where this process keeps files of simulated devices; removed when it ends.
// Any thread.

internal import CRuntime
internal import Foundation

package enum RunFolder {
    /// Without symbolic links, so that a path which was resolved is known again, and short: below it a device's home has a
    /// path as long as the one that its app knows.
    private static let temporary: String = {
        let place = FileManager.default.temporaryDirectory.path
        let resolved = realpath(place, nil)
        defer { free(resolved) }
        let path = resolved.map { String(cString: $0) } ?? place
        return path.utf8.count <= lengthMax ? path : "/tmp"
    }()

    private static let lengthMax = 18

    package static var path: String { path(of: getpid()) }

    private static func path(of process: Int32) -> String { "\(temporary)/\(STAMPEDE_RUN_FOLDER)\(process)" }

    /// To be called outside client code, for which the temporary folder is another one.
    static func find() { _ = temporary }

    package static func make() {
        _ = isRemovedAtExit
        mkdir(path, 0o700)
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
