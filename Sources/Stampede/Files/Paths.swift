// Paths as they are given on the command line.
// Asks the file system; any thread.

package import Foundation

package enum Paths {
    /// The running program's file.
    package static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    enum Kind { case file, folder }

    /// Nil where there is nothing.
    static func kind(_ path: String) -> Kind? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        return isFolder.boolValue ? .folder : .file
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    static func isScenario(_ path: String) -> Bool { path.hasSuffix(".yml") || path.hasSuffix(".yaml") }

    /// With the slash at its end; empty where the path names none.
    static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// The folder that something is in, also of a folder that is named with a slash at its end.
    static func parent(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().relativePath
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + name
    }

    /// Of a path from an absolute folder, which need not be there.
    static func absolute(_ path: String, from folder: String) -> String {
        if path.hasPrefix("/") { return path }
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") {
            // Above the root there is nothing.
            if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Relative to a folder, so that both can be committed.
    static func relative(_ file: URL, from folder: URL) -> String {
        let (here, there) = (folder.pathComponents, file.pathComponents)
        let common = zip(here, there).prefix { $0 == $1 }.count
        return (Array(repeating: "..", count: here.count - common) + there[common...]).joined(separator: "/")
    }
}
