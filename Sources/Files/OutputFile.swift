// Writes one file to a given path: atomically, or straight into a device or a pipe.
// Touches the file system only; any thread, several processes at once.

package import Foundation

/// What the system would not do, by its number.
package struct SystemError: Error, Sendable, Equatable {
    package let path: String
    package let number: Int32

    package init(path: String, number: Int32) { (self.path, self.number) = (path, number) }

    package var reason: String { String(cString: strerror(number)) }
}

package enum OutputFile {
    /// Symbolic links that are followed, as many as Linux follows.
    private static let linksMax = 40
    /// Names that are tried for what is not whole yet.
    private static let namesMax = 10_000

    /// Writes a file as a whole: what stood there before stays until it is all there.
    ///
    /// A symbolic link stays one, and what it leads to is replaced. A device or a pipe is written into.
    package static func write(_ data: Data, to path: String) throws(FileError) {
        if path.isEmpty { throw FileError(path: "''", reason: "the name is empty", hint: "name a file") }
        do {
            try place(data, at: path)
        } catch {
            throw FileError(path: path, reason: error.reason, hint: hint(error.number))
        }
    }

    /// Makes a folder and those around it; one that is there already is as good.
    package static func makeFolder(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? String(part) : "/\(part)"
            if mkdir(made, 0o755) == 0 { continue }
            let code = errno
            // Some systems answer EROFS or EACCES for a directory that is there.
            var found = stat()
            if stat(made, &found) == 0, found.st_mode & S_IFMT == S_IFDIR { continue }
            throw SystemError(path: made, number: code == EEXIST ? ENOTDIR : code)
        }
    }

    /// Writes a file under a name that nothing has yet, and has it reach the disk; nothing stays behind of a failure.
    package static func create(_ path: String, _ data: Data, mode: mode_t) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        do {
            try put(data, into: descriptor, path: path)
        } catch {
            close(descriptor)
            unlink(path)
            throw error
        }
        let synced = fsync(descriptor)
        let code = errno
        // Network file systems tell of a full disk only here.
        let closed = close(descriptor)
        if synced == 0, closed == 0 { return }
        let number = synced != 0 ? code : errno
        unlink(path)
        throw SystemError(path: path, number: number)
    }

    /// Has the names in a folder reach the disk.
    package static func synchronizeFolder(_ path: String) throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        defer { close(descriptor) }
        // Some file systems cannot synchronise a directory, and say so with EINVAL.
        if fsync(descriptor) != 0 && errno != EINVAL { throw SystemError(path: path, number: errno) }
    }

    /// Writes all of it, however small the portions that are taken.
    ///
    /// - Parameter path: what errors call it.
    package static func put(_ data: Data, into descriptor: Int32, path: String) throws(SystemError) {
        let bytes = Array(data)
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Foundation.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            let code = errno
            switch (written, code) {
            case (0..., _): offset += written
            case (_, EINTR): continue
            case (_, EAGAIN):
                // Another owner of the descriptor has made it non-blocking; we can wait.
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            default: throw SystemError(path: path, number: code)
            }
        }
    }

    private static func place(_ data: Data, at path: String) throws(SystemError) {
        var found = stat()
        guard stat(path, &found) == 0 else {
            // A link that leads nowhere is no obstacle: what it names is made.
            guard errno == ENOENT else { throw SystemError(path: path, number: errno) }
            return try replace(target(of: path), with: data, mode: nil)
        }
        switch found.st_mode & S_IFMT {
        case S_IFREG: try replace(target(of: path), with: data, mode: found.st_mode & 0o7777)
        case S_IFDIR: throw SystemError(path: path, number: EISDIR)
        default: try pour(data, into: path)
        }
    }

    /// Where the links that begin at `path` end.
    private static func target(of path: String) throws(SystemError) -> String {
        var place = path
        for _ in 0...linksMax {
            var name = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &name, name.count)
            // Not a link, or nothing at all.
            if count < 0 { return place }
            let link = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            place = link.hasPrefix("/") ? link : folder(of: place) + link
        }
        throw SystemError(path: path, number: ELOOP)
    }

    /// With the slash behind it; empty for a name alone.
    private static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// - Parameter mode: what the file before could be used for, and the new one shall be.
    private static func replace(_ path: String, with data: Data, mode: mode_t?) throws(SystemError) {
        for number in 1...namesMax {
            let hidden = "\(folder(of: path)).stampede-\(getpid())-\(number)"
            do {
                try create(hidden, data, mode: 0o666)
            } catch {
                if error.number == EEXIST { continue }
                throw error
            }
            if let mode { chmod(hidden, mode) }
            if rename(hidden, path) == 0 { return }
            let code = errno
            unlink(hidden)
            throw SystemError(path: path, number: code)
        }
        throw SystemError(path: path, number: EEXIST)
    }

    private static func pour(_ data: Data, into path: String) throws(SystemError) {
        var descriptor: Int32
        // A pipe opens once it has a reader.
        repeat { descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw SystemError(path: path, number: errno) }
        defer { close(descriptor) }
        try put(data, into: descriptor, path: path)
    }

    private static func hint(_ number: Int32) -> String {
        switch number {
        case ENOENT, ENOTDIR: "create its folder, or name another file"
        case EISDIR: "name a file in that folder"
        case ENOSPC, EDQUOT: "free some space, or name another file"
        case EACCES, EPERM, EROFS: "make its folder writable, or name another file"
        default: "name another file"
        }
    }
}
