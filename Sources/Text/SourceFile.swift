// The bytes of a file that a user names, however unfit the file is.
// Touches the file system only; any thread.

import Foundation

/// What a file is read as.
package struct SourceKind: Sendable {
    /// What it should be, as in "name one scenario file in it".
    package let noun: String
    package let bytesMax: Int
    /// What to do when there is no such file.
    package let missingHint: String?

    package init(noun: String, bytesMax: Int, missingHint: String? = nil) {
        self.noun = noun
        self.bytesMax = bytesMax
        self.missingHint = missingHint
    }

    /// Why a file is not read at all.
    package func tooLarge(_ file: String) -> Problem {
        Problem(
            file: file, message: "the file is larger than \(bytesMax >> 20) MiB",
            hint: "name a \(noun); such files have a few kilobytes")
    }
}

package enum SourceFile {
    /// All of a regular file; more than `kind` allows is an error and not read.
    package static func bytes(of path: String, as kind: SourceKind) throws(Problem) -> [UInt8] {
        func fail(_ message: String, _ hint: String? = nil) -> Problem {
            Problem(file: path, message: message, hint: hint)
        }
        // An empty path is the current directory to some calls, and a NUL ends the path for others.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw fail("no path to a \(kind.noun)") }
        // Non-blocking: opening a pipe without a writer would hang.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT || code == ENOTDIR { throw fail("no such file", kind.missingHint) }
            throw fail("the file cannot be read: \(String(cString: strerror(code)))", "make it readable")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw fail("the file cannot be read", "make it readable") }
        if status.st_mode & S_IFMT == S_IFDIR { throw fail("this is a folder", "name one \(kind.noun) in it") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw fail("this is not a regular file") }
        guard Int(status.st_size) <= kind.bytesMax else { throw kind.tooLarge(path) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw fail("the file cannot be read: \(String(cString: strerror(errno)))", "make it readable")
            }
            bytes += buffer[..<count]
            // The file may grow while it is read.
            guard bytes.count <= kind.bytesMax else { throw kind.tooLarge(path) }
        }
    }
}
