// Folders that are somebody's for as long as a process lives: what a killed one has left behind is known by that nobody
// holds it. The lock is the kernel's, so that it holds between containers too.
// Any thread.

internal import Foundation

package enum FolderClaim {
    /// Holds a folder that exists; nil: somebody has removed it. With `release` the process gives it up, or with its end.
    package static func hold(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // Whoever removes it has it until then.
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 0, access(path, F_OK) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    package static func release(_ descriptor: Int32) { close(descriptor) }

    /// Removes folders that nobody holds.
    ///
    /// - Parameter isOurs: whether a folder of this name is one that is held as long as it is needed.
    package static func removeLeftBehind(in folder: String, _ isOurs: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isOurs(name) {
            let path = "\(folder)/\(name)"
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
