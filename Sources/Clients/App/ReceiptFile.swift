// The device's receipt as a file that client code can open: simulated storage has no paths of its own.
// Any thread; `lock` guards the copy.

import Foundation
import Simulation
import Synchronization

/// A copy in a folder of this run, written when asked for, as long as what the device holds has changed.
final class ReceiptFile: @unchecked Sendable {
    private let process: AppProcess
    private let lock = NSLock()
    private var written: Receipt?
    private let folder: URL

    private static let count = Atomic<Int>(0)

    init(process: AppProcess) {
        self.process = process
        let number = Self.count.add(1, ordering: .relaxed).newValue
        folder = RunFolder.url.appendingPathComponent("device-\(process.device.user)-\(number)")
    }

    deinit {
        if written != nil { try? FileManager.default.removeItem(at: folder) }
    }

    var url: URL? {
        guard let receipt = process.device.receipt else { return nil }
        let file = folder.appendingPathComponent("receipt")
        return lock.withLock {
            if receipt == written { return file }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try AppReceipt(receipt).encoded().write(to: file)
            } catch {
                return nil
            }
            written = receipt
            return file
        }
    }
}

/// Where copies of the devices' files go; removed when the program ends.
private enum RunFolder {
    static let url: URL = {
        atexit { try? FileManager.default.removeItem(at: RunFolder.path) }
        return path
    }()

    private static let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("stampede-\(ProcessInfo.processInfo.processIdentifier)")
}
