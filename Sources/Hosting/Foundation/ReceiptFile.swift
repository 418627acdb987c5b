// The device's receipt as a file that client code can open: simulated storage has no paths of its own.
// Any thread; `lock` guards the copy.

import CHostCalls
import CRuntime
import Foundation
import Simulation

/// A copy in a folder of this run, written when it is opened, if the device's receipt has changed: asking for its path
/// costs nothing.
final class ReceiptFile: @unchecked Sendable {
    private let process: AppProcess
    private let number: Int
    private let folder: String
    private let file: URL
    private let lock = NSLock()
    private var written: Receipt?

    private static let name = "receipt"

    init(process: AppProcess) {
        self.process = process
        number = ReceiptFolder.nextNumber()
        folder = RunFolder.path + "/device-\(process.device.user)-\(number)"
        file = URL(fileURLWithPath: folder + "/" + Self.name, isDirectory: false)
        ReceiptFolder.add(self, number: number)
    }

    deinit {
        ReceiptFolder.remove(number)
        if written == nil { return }
        // What the app held is let go of in its own name, and it may remove nothing here.
        AppRuntime.asHarness {
            unlink(file.path)
            rmdir(folder)
        }
    }

    /// Where the receipt is once there is one: until then no file can be read there, as on Apple's systems.
    var url: URL {
        if !ReceiptFolder.isWatched { prepare() }
        return file
    }

    /// Brings the file up to date. Not for ever: nothing has it reach a disk.
    func prepare() {
        lock.withLock {
            let receipt = process.device.receipt
            if receipt == nil { process.remarkMissingReceipt() }
            if receipt == written { return }
            written = nil
            guard let receipt else {
                unlink(file.path)
                return
            }
            process.device.noteReceiptFile()
            let contents = AppReceipt(receipt, of: process.device).encoded()
            RunFolder.make()
            mkdir(folder, 0o700)
            // Readers of the old one read it to its end.
            let fresh = file.path + ".new"
            let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            let count = contents.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
            if count == contents.count, rename(fresh, file.path) == 0 { written = receipt }
        }
    }
}

/// Which copies there are.
enum ReceiptFolder {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var files: [Int: WeakFile] = [:]  // Guard: `lock`.
    nonisolated(unsafe) private static var latest = 0  // Guard: `lock`.
    nonisolated(unsafe) private static var hasProbed = false  // Guard: `lock`.

    private struct WeakFile { weak var file: ReceiptFile? }

    /// Whether files are made when they are opened. Otherwise they have to be there before.
    static let isWatched: Bool = {
        guard stampede_calls_stand_in_front() else { return false }
        // Retained for ever by the callee.
        stampede_watch_paths(strdup(RunFolder.path + "/")) { path in
            if let path { ReceiptFolder.prepare(String(cString: path)) }
        }
        // What a program looks like that was put together in another way is found out by trying.
        _ = FileManager.default.fileExists(atPath: RunFolder.path + "/" + probe)
        return lock.withLock { hasProbed }
    }()

    private static let probe = "probe"

    static func nextNumber() -> Int {
        lock.withLock {
            latest += 1
            return latest
        }
    }

    static func add(_ file: ReceiptFile, number: Int) {
        _ = isWatched
        lock.withLock { files[number] = WeakFile(file: file) }
    }

    static func remove(_ number: Int) { lock.withLock { files[number] = nil } }

    /// A file in the folder is opened, or looked for.
    private static func prepare(_ path: String) {
        let name = path.dropFirst(RunFolder.path.count + 1).prefix { $0 != "/" }
        if name == probe { return lock.withLock { hasProbed = true } }
        guard let number = name.split(separator: "-").last.flatMap({ Int($0) }) else { return }
        let file = lock.withLock { files[number]?.file }
        file?.prepare()
    }
}
