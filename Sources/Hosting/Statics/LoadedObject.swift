// The program and the libraries that it has loaded.
// A value; any thread.

internal import CStatics
internal import Foundation

struct LoadedObject {
    /// Where its file can be read.
    let path: String
    /// What it is called.
    let name: String
    /// What is added to the addresses of its file.
    let bias: UInt
    /// Where the calling thread's copy of its thread-locals begins, counted from the thread's descriptor.
    let threadBlock: Int
    /// Where the bytes lie with which each copy begins.
    let threadInitial: UInt
    let threadInitialSize: Int
    /// Addresses of its file that are read-only once relocated.
    let fixed: Range<UInt>

    /// Where the file of the program itself is read.
    static let programPath = "/proc/self/exe"

    /// Everything that is loaded, the program first.
    static var all: [LoadedObject] {
        let objects = List()
        stampede_each_object(
            { context, object in
                guard let context, let object else { return }
                Unmanaged<List>.fromOpaque(context).takeUnretainedValue().items.append(LoadedObject(object.pointee))
            }, Unmanaged.passUnretained(objects).toOpaque())
        return objects.items
    }

    private final class List {
        var items: [LoadedObject] = []
    }

    private init(_ object: stampede_object) {
        let given = object.path.map { String(cString: $0) } ?? ""
        path = given.isEmpty ? Self.programPath : given
        name = given.isEmpty ? CommandLine.arguments.first ?? path : given
        bias = object.bias
        threadBlock = object.thread_block
        threadInitial = UInt(bitPattern: object.thread_initial)
        threadInitialSize = object.thread_initial_size
        fixed = object.fixed_start..<object.fixed_end
    }

    /// Whether it is the system's or the toolchain's: nothing of a package lies there.
    var isSystems: Bool {
        if path == Self.programPath { return false }
        let folders = ["/lib/", "/lib64/", "/usr/", Self.toolchain]
        return !path.hasPrefix("/") || folders.contains { path.hasPrefix($0) }
    }

    /// The folder of Swift's own libraries.
    static let toolchain: String = {
        guard let file = stampede_runtime_path() else { return "/usr/" }
        let path = String(cString: file)
        return String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    }()
}
