// Puts a report on disk as a whole: a reader never sees half of one.
// Touches the file system only; one call at a time per thread, several processes at once.

package import Files
package import Foundation
package import ReportModel
import Simulation

/// The folders under `Reports/`.
package enum ReportFolder {
    /// Runs of one scenario, client and seed that are kept side by side.
    package static let countMax = 10_000
    /// Of folders that have no name of their own yet, or never will.
    private static let hiddenPrefix = ".stampede-"
    package static let latestName = "latest"

    /// Writes a report into a new folder of `reportsDirectory` and points `latest` at it.
    ///
    /// The folder appears whole, under a name that nothing had before, or not at all. When only the link cannot be
    /// replaced, the error names the link, and the folder stays.
    ///
    /// - Parameters:
    ///   - files: what else belongs into the folder, by name.
    ///   - moved: files to move into it, too large to be held in memory: the path of each by name, on one file system
    ///     with the folder.
    /// - Returns: the path of the folder.
    package static func write(
        _ report: Report, into reportsDirectory: String, files: [String: Data] = [:], moved: [String: String] = [:]
    ) throws(FileError) -> String {
        let contents = try contents(report, files, path: reportsDirectory)
        try makeDirectory(reportsDirectory)
        try checkLatest(reportsDirectory)
        let stem = folderStem(report)
        let name = try fill(contents, in: reportsDirectory, stem: stem) { hidden throws(FileError) in
            for (file, path) in moved where rename(path, "\(hidden)/\(file)") != 0 { throw failure(path, errno) }
            try synchronize(hidden)
            return try publish(hidden, in: reportsDirectory, stem: stem)
        }
        try pointLatest(at: name, in: reportsDirectory)
        return "\(reportsDirectory)/\(name)"
    }

    /// Whether a report could be written into the folder, before there is one; makes the folder if need be.
    ///
    /// - Parameter isShared: other machines write there too. What they hold is not always seen here, and nothing is taken for left behind.
    package static func prepare(_ reportsDirectory: String, isShared: Bool = false) throws(FileError) {
        try makeDirectory(reportsDirectory)
        if !isShared { FolderClaim.removeLeftBehind(in: reportsDirectory) { $0.hasPrefix(hiddenPrefix) } }
        try checkLatest(reportsDirectory)
        // Permissions are not all that can be in the way: only the attempt tells.
        let hidden = try makeHiddenDirectory(reportsDirectory, stem: "attempt")
        defer { hidden.claim.map(FolderClaim.release) }
        if rmdir(hidden.path) != 0 { throw failure(hidden.path, errno) }
    }

    /// Writes a report as a folder of exactly this name, which appears whole or not at all.
    ///
    /// Nothing but an empty folder may have the name before.
    package static func write(
        _ report: Report, as path: String, files: [String: Data] = [:], moved: [String: String] = [:]
    ) throws(FileError) {
        try write(try contents(report, files, path: path), as: path, moved: moved)
    }

    /// Writes files as a folder of exactly this name, which appears whole or not at all.
    package static func write(
        _ contents: [String: Data], as path: String, moved: [String: String] = [:]
    ) throws(FileError) {
        try refuseEmpty(path)
        let url = URL(fileURLWithPath: path).standardizedFileURL
        let parent = url.deletingLastPathComponent().path
        try makeDirectory(parent)
        try fill(contents, in: parent, stem: sanitized(url.lastPathComponent)) { hidden throws(FileError) in
            for (file, path) in moved where rename(path, "\(hidden)/\(file)") != 0 { throw failure(path, errno) }
            try synchronize(hidden)
            if rename(hidden, url.path) != 0 { throw failure(path, errno) }
        }
    }

    /// A name for a folder that does not show, beside those of the reports, which are made if need be.
    package static func hiddenPath(in reportsDirectory: String, stem: String) throws(FileError) -> String {
        try makeDirectory(reportsDirectory)
        return "\(reportsDirectory)/\(hiddenPrefix)\(stem)"
    }

    private static func contents(
        _ report: Report, _ files: [String: Data], path: String
    ) throws(FileError) -> [String: Data] {
        var contents = files
        do {
            contents["report.json"] = try report.json()
        } catch {
            throw FileError(
                path: path, reason: "the report cannot be encoded: \(error)",
                hint: "this is a fault of Stampede, please report it")
        }
        return contents
    }

    /// Writes the files into a hidden folder and has it published; nothing stays behind of a failure.
    @discardableResult
    private static func fill<Name>(
        _ contents: [String: Data], in directory: String, stem: String,
        publish: (_ hidden: String) throws(FileError) -> Name
    ) throws(FileError) -> Name {
        let (hidden, claim) = try makeHiddenDirectory(directory, stem: stem)
        defer { claim.map(FolderClaim.release) }
        let name: Name
        do {
            for file in contents.keys.sorted() {
                try writeFile("\(hidden)/\(file)", contents[file] ?? Data())
            }
            try synchronize(hidden)
            name = try publish(hidden)
        } catch {
            // Reached only while the folder still has its hidden name.
            try? FileManager.default.removeItem(atPath: hidden)
            throw error
        }
        try synchronize(directory)
        return name
    }

    /// `<scenario file>-<client>-<seed>`, safe as a file name.
    package static func folderStem(_ report: Report) -> String {
        folderStem(
            file: report.scenario.file, name: report.scenario.name, client: report.run.client, seed: report.run.seed)
    }

    /// - Parameter name: of the scenario.
    package static func folderStem(file: String, name: String, client: String, seed: UInt64) -> String {
        let client = sanitized(client)
        return "\(fileStem(file: file, name: name))-\(client.isEmpty ? "unnamed" : client)-\(seed)"
    }

    /// The name of the scenario's file without its extension, safe as a file name.
    package static func fileStem(_ report: Report) -> String {
        fileStem(file: report.scenario.file, name: report.scenario.name)
    }

    private static func fileStem(file: String, name: String) -> String {
        [stem(ofFile: file), name].map(sanitized).first { !$0.isEmpty } ?? "unnamed"
    }

    /// The name of a file without its folders and its extension.
    static func stem(ofFile path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? ""
        return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    /// Letters, digits, `_` and `-` of ASCII; everything else becomes `-`.
    private static func sanitized(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(80) {
            let isPlain = scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "_")
            if isPlain { result.unicodeScalars.append(scalar) } else if !result.hasSuffix("-") { result += "-" }
        }
        while result.hasPrefix("-") { result.removeFirst() }
        while result.hasSuffix("-") { result.removeLast() }
        return result
    }

    /// Why something could not be written, by the system's number.
    static func failure(_ path: String, _ code: Int32) -> FileError {
        let hint =
            switch code {
            case ENOSPC, EDQUOT: "free some space, or name another folder with --out"
            case EACCES, EPERM, EROFS: "make the folder writable, or name another folder with --out"
            case ENOTDIR, EEXIST, EISDIR, ENOTEMPTY:
                "move the existing file away, or name another folder with --out"
            default: "name another folder with --out"
            }
        return FileError(path: path, reason: String(cString: strerror(code)), hint: hint)
    }

    private static func makeDirectory(_ path: String) throws(FileError) {
        try refuseEmpty(path)
        do {
            try OutputFile.makeFolder(path)
        } catch {
            throw failure(error.path, error.number)
        }
    }

    /// Put before a slash it would be the root of all.
    private static func refuseEmpty(_ path: String) throws(FileError) {
        guard path.isEmpty else { return }
        throw FileError(path: "''", reason: "the name is empty", hint: "name a folder with --out")
    }

    /// Nil when nothing has this name, a link that leads nowhere included among the somethings.
    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private static func checkLatest(_ reportsDirectory: String) throws(FileError) {
        let path = "\(reportsDirectory)/\(latestName)"
        if let kind = kind(path), kind != S_IFLNK {
            throw FileError(
                path: path, reason: "is not a symbolic link",
                hint: "move it away: the run writes a link to the newest report there")
        }
    }

    /// Held until it has its name.
    private static func makeHiddenDirectory(
        _ reportsDirectory: String, stem: String
    ) throws(FileError) -> (path: String, claim: Int32?) {
        for attempt in 1...countMax {
            let path = "\(reportsDirectory)/\(hiddenPrefix)\(stem).\(getpid())-\(attempt)"
            if mkdir(path, 0o755) == 0 {
                let claim = FolderClaim.hold(path)
                if claim != nil || kind(path) != nil { return (path, claim) }
                // Somebody has taken it for left behind.
                continue
            }
            if errno != EEXIST { throw failure(reportsDirectory, errno) }
        }
        throw tooMany(reportsDirectory)
    }

    private static func tooMany(_ path: String) -> FileError {
        FileError(
            path: path, reason: "holds \(HumanNumbers.count(countMax)) reports of this scenario, client and seed",
            hint: "remove some")
    }

    private static func writeFile(_ path: String, _ data: Data) throws(FileError) {
        do {
            try OutputFile.create(path, data, mode: 0o644)
        } catch {
            throw failure(error.path, error.number)
        }
    }

    private static func synchronize(_ directory: String) throws(FileError) {
        do {
            try OutputFile.synchronizeFolder(directory)
        } catch {
            throw failure(directory, error.number)
        }
    }

    /// Gives the hidden folder the first name that is free.
    private static func publish(
        _ hidden: String, in reportsDirectory: String, stem: String
    ) throws(FileError) -> String {
        for number in 1...countMax {
            let name = number == 1 ? stem : "\(stem)-\(number)"
            let path = "\(reportsDirectory)/\(name)"
            if kind(path) != nil { continue }
            if rename(hidden, path) == 0 { return name }
            // Another process was faster; a folder with anything in it is never replaced.
            if ![ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) { throw failure(path, errno) }
        }
        throw tooMany(reportsDirectory)
    }

    private static func pointLatest(at name: String, in reportsDirectory: String) throws(FileError) {
        let path = "\(reportsDirectory)/\(latestName)"
        for attempt in 1...countMax {
            let hidden = "\(reportsDirectory)/.\(latestName).\(getpid())-\(attempt)"
            if symlink(name, hidden) != 0 {
                if errno == EEXIST { continue }
                throw failure(hidden, errno)
            }
            if rename(hidden, path) == 0 { return }
            let code = errno
            unlink(hidden)
            throw failure(path, code)
        }
        throw tooMany(reportsDirectory)
    }
}
