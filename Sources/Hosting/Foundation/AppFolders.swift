// Where an app finds its folders: below its device's home, as on a phone.
// Any thread.

internal import CRuntime
import Foundation

enum AppFolders {
    /// What `FileManager.urls(for:in:)` returns for a directory and domains as their words in memory. Nil for those that
    /// no app has of its own.
    static func urls(_ directory: UInt8, _ domains: UInt) -> AnyObject? {
        guard domains & FileManager.SearchPathDomainMask.userDomainMask.rawValue != 0 else { return nil }
        let directory = unsafeBitCast(directory, to: FileManager.SearchPathDirectory.self)
        guard let name = names[directory] else { return nil }
        let url = URL(fileURLWithPath: STAMPEDE_HOME + "/" + name, isDirectory: true)
        return unsafeBitCast([url], to: AnyObject.self)
    }

    /// What `ProcessInfo.environment` returns, for the dictionary of the system as its word in memory, which it takes over.
    /// What says where the user's files are says where the device's are, as `getenv` does.
    static func environment(_ variables: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let variables else { return nil }
        var own = unsafeBitCast(
            Unmanaged<AnyObject>.fromOpaque(variables).takeRetainedValue(), to: [String: String].self)
        for name in own.keys { if let value = getenv(name) { own[name] = String(cString: value) } }
        return Unmanaged.passRetained(unsafeBitCast(own, to: AnyObject.self)).toOpaque()
    }

    private static let names: [FileManager.SearchPathDirectory: String] = [
        .documentDirectory: "Documents", .libraryDirectory: "Library", .cachesDirectory: "Library/Caches",
        .applicationSupportDirectory: "Library/Application Support", .desktopDirectory: "Desktop",
        .downloadsDirectory: "Downloads", .moviesDirectory: "Movies", .musicDirectory: "Music",
        .picturesDirectory: "Pictures", .sharedPublicDirectory: "Public",
        .autosavedInformationDirectory: "Library/Autosave Information",
    ]
}
