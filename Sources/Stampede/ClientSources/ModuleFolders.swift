// Which folder holds the module that a file belongs to.
// Reads packages; any thread.

import Foundation

struct ModuleFolders {
    /// What was named on the command line, or found.
    let places: [String]
    /// By folder.
    private var known: [String: String] = [:]
    /// The folders that a package names for its targets, by its own.
    private var targets: [String: [String]] = [:]

    private static let sources = "Sources"

    init(places: [String]) { self.places = places }

    /// The folder that the package names; else the one below `Sources`, or what was named.
    mutating func folder(of file: String) -> String {
        let parts = Array(file.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init))
        let path = parts.joined(separator: "/")
        if let folder = known[path] { return folder }
        let folder = target(parts) ?? belowSources(parts) ?? place(file) ?? (parts.isEmpty ? "." : path)
        known[path] = folder
        return folder
    }

    private mutating func target(_ parts: [String]) -> String? {
        for count in stride(from: parts.count, through: 0, by: -1) {
            let package = parts.prefix(count).joined(separator: "/")
            let manifest = count == 0 ? "Package.swift" : package + "/Package.swift"
            guard Paths.kind(manifest) == .file else { continue }
            guard let named = targets[package] ?? Self.paths(in: manifest) else { continue }
            targets[package] = named
            let path = parts.joined(separator: "/") + "/"
            return named.map { count == 0 ? $0 : package + "/" + $0 }.filter { path.hasPrefix($0 + "/") }
                .max { $0.count < $1.count }
        }
        return nil
    }

    /// `path: "Sources"` of a target; of other packages too, whose folders hold none of these files. Nil if it is a source
    /// file of that name.
    private static func paths(in manifest: String) -> [String]? {
        guard let text = try? String(contentsOfFile: manifest, encoding: .utf8),
            text.contains("import PackageDescription")
        else { return nil }
        return text.matches(of: /path:\s*"([^"]+)"/).map { String($0.1) }
    }

    private func belowSources(_ parts: [String]) -> String? {
        guard let sources = parts.lastIndex(of: Self.sources) else { return nil }
        return parts[...min(sources + 1, parts.count - 1)].joined(separator: "/")
    }

    private func place(_ file: String) -> String? {
        places.filter { file.hasPrefix($0 + "/") }.max { $0.count < $1.count }
    }
}
