// What client code of one run wrote down, by its device.
// Any thread.

import Foundation
import UIKit

final class Notes: @unchecked Sendable {  // Guard: `lock`.
    private static let shelfLock = NSLock()
    nonisolated(unsafe) private static var shelf: [String: Notes] = [:]  // Guard: `shelfLock`.

    private let lock = NSLock()
    private var written: [UUID: [String]] = [:]
    private let number = UUID().uuidString

    init() { Self.shelfLock.withLock { Self.shelf[number] = self } }

    /// Travels in the client's options.
    var options: [String: String] { ["notes": number] }

    static func of(_ options: [String: String]) -> Notes? { shelfLock.withLock { shelf[options["notes"] ?? ""] } }

    /// In client code.
    func add(_ line: String) {
        guard let device = UIDevice.current.identifierForVendor else { return }
        lock.withLock { written[device, default: []].append(line) }
    }

    /// Of each device, in no order.
    var ofDevices: [[String]] { lock.withLock { Array(written.values) } }
}
