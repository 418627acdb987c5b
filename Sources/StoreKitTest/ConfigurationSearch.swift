// Where StoreKitTest looks for a configuration file that a test names without a path.
// Pure except that it asks the file system; any thread.

import Foundation
import Simulation

enum ConfigurationSearch {
    static let fileExtension = "storekit"

    /// The first file of that name, in the order of the folders.
    static func find(_ name: String) -> URL? {
        let file = (name as NSString).pathExtension == fileExtension ? name : "\(name).\(fileExtension)"
        if file.hasPrefix("/") { return isFile(file) ? URL(fileURLWithPath: file) : nil }
        return folders.lazy.map { $0.appendingPathComponent(file) }.first { isFile($0.path) }
    }

    private static func isFile(_ path: String) -> Bool {
        var isDirectory = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    private static var folders: [URL] {
        let bundle = Bundle.main
        let executable = bundle.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let tests = here.appendingPathComponent("Tests", isDirectory: true)
        // A package's resources are beside its executable, in one folder for each target.
        let bundles = [bundle.resourceURL, bundle.bundleURL, executable].compactMap { $0 }.flatMap { folder in
            [folder] + subfolders(of: folder) { ["resources", "bundle"].contains($0.pathExtension) }
        }
        return bundles + catalogFolder + [here, tests] + subfolders(of: tests) { _ in true }
    }

    private static var catalogFolder: [URL] {
        guard let path = ProcessInfo.processInfo.environment[StandaloneDevice.catalogVariable] else { return [] }
        let place = URL(fileURLWithPath: path)
        return [isFile(path) ? place.deletingLastPathComponent() : place]
    }

    /// In the order of names: a directory's own order is undefined.
    private static func subfolders(of folder: URL, where isWanted: (URL) -> Bool) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0, isDirectory: true) }.filter { place in
            isWanted(place) && !isFile(place.path)
        }
    }
}
