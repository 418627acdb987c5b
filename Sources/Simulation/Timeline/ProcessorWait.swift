// How long threads were ready to run and had to wait for a core.
// Reads /proc; any thread.

internal import Foundation

/// In nanoseconds since a thread began; nil where the kernel does not tell.
package enum ProcessorWait {
    /// Of the calling thread.
    static var ofThisThread: Int64? { read("/proc/thread-self/schedstat") }

    /// - Parameter number: as the kernel counts threads; one of this process.
    static func ofThread(_ number: Int32) -> Int64? { read("/proc/self/task/\(number)/schedstat") }

    /// Of all threads of this process that are there now together.
    package static var ofProcess: Int64? {
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") else { return nil }
        return threads.compactMap(Int32.init).compactMap(ofThread).reduce(0, +)
    }

    private static func read(_ path: String) -> Int64? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = Foundation.read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            // "computed waited turns"
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            return fields.count < 2 ? nil : Int64(String(decoding: fields[1], as: UTF8.self))
        }
    }
}
