// How much memory the kernel has given to this process.
// Reads /proc; any thread.

import Foundation

package enum ResidentMemory {
    /// In physical memory, what it shares with others included, in bytes; nil where the kernel does not tell.
    package static var bytes: Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            // "all resident shared …", in pages
            let fields = buffer[..<count].split(separator: UInt8(ascii: " "))
            guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
            return pages * pageSize
        }
    }

    /// The most that it has had so far, in bytes.
    package static var peakBytes: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss << 10
    }

    /// What this machine has, in bytes.
    package static let ofMachine = sysconf(Int32(_SC_PHYS_PAGES)) * pageSize

    private static let pageSize = sysconf(Int32(_SC_PAGESIZE))
}
