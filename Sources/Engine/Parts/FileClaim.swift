// A file that is one process's for as long as that lives. The lock is one of processes, which those that it forks do not have:
// a worker that outlives a killed run for a moment holds nothing.
// Any thread.

package import Files
import Foundation

/// No other part of the process may open the file meanwhile: with any of its descriptors the lock would go.
package final class FileClaim: @unchecked Sendable {  // Unchecked: a descriptor that never changes.
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Nil: another process has it, or had it a moment ago and has removed it with its folder.
    package static func take(_ path: String) throws(SystemError) -> FileClaim? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError(path: path, number: errno)
        }
        var lock = whole
        if fcntl(descriptor, F_SETLK, &lock) == 0 {
            if isAt(path, descriptor) { return FileClaim(descriptor) }
            close(descriptor)
            return nil
        }
        let code = errno
        close(descriptor)
        if code == EACCES || code == EAGAIN { return nil }
        // Some file systems have no locks: then a claim cannot be checked, and is not refused.
        if code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP { return FileClaim(open("/dev/null", O_RDONLY)) }
        throw SystemError(path: path, number: code)
    }

    /// Whether another process has it.
    package static func isHeld(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = whole
        return fcntl(descriptor, F_GETLK, &lock) == 0 && Int32(lock.l_type) != F_UNLCK
    }

    /// Who had the file may have removed it since it was opened.
    private static func isAt(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    private static var whole: flock {
        flock(l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }
}
