// Folders that a process holds for as long as it lives: a folder that no process holds was left by a killed one.
// The lock is the kernel's, so that it works between containers too.
// Any thread.

internal import Foundation

package enum FolderClaim {
    /// Holds a folder that exists; nil if another process has removed it. `release` or the process's end gives it up.
    package static func hold(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        // A process that removes the folder holds it until it is gone.
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 0, access(path, F_OK) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    package static func release(_ descriptor: Int32) { close(descriptor) }

    /// Removes folders that no process holds.
    ///
    /// - Parameter isOurs: whether folders of this name are held for as long as they are needed.
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
