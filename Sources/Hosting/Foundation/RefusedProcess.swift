// Other programs, which no app starts.
// Any thread.

internal import CRuntime
import Foundation

/// What `Process` does in client code: Foundation itself waits on a thread of its own before it starts a program, and a
/// simulated device would wait for that for ever.
final class RefusedProcess: Process, @unchecked Sendable {  // Unchecked: it has nothing beside what it inherits.
    // It is called with any `Process`.
    override func run() throws {
        let path = executableURL?.path ?? ""
        guard stampede_uses_outside(stampede_outside_program, path) else { return try super.run() }
        throw CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: path])
    }

    override class func run(
        _ url: URL, arguments: [String], terminationHandler: (@Sendable (Process) -> Void)? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        process.terminationHandler = terminationHandler
        try process.run()
        return process
    }

    /// Has the methods above serve for `Process` itself, once in a process. Where Foundation is part of the program, or laid out
    /// otherwise, all stays as it is.
    static func install() {
        for method in [stampede_process_run(), stampede_process_run_url()].compactMap(\.self) {
            let words = unsafeBitCast(Process.self as AnyClass, to: UnsafeMutablePointer<UInt>.self)
            let own = unsafeBitCast(RefusedProcess.self as AnyClass, to: UnsafePointer<UInt>.self)
            let count = wordCount(of: words)
            if let place = (0..<count).first(where: { words[$0] == UInt(bitPattern: method) }) {
                words[place] = own[place]
            }
        }
    }

    /// Of what describes a class, behind its address: the table of its methods is there. Its size, and how much of it lies before
    /// the address, are the halves of the fifth word.
    private static func wordCount(of words: UnsafeMutablePointer<UInt>) -> Int {
        let (size, before) = (words[4] & 0xffff_ffff, words[4] >> 32)
        return Int(size - before) / MemoryLayout<UInt>.stride
    }
}
