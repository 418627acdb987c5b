// What the reader owns, in a file.

import Foundation
import StoreKit

public enum Ware {
    /// Three issues, to be read one by one.
    public static let issues = "com.example.kiosk.issues"
    public static let archive = "com.example.kiosk.archive"
    public static let month = "com.example.kiosk.month"
    public static let all = [issues, archive, month]
    public static let issuesPerPurchase = 3
}

/// Issues and the transactions that they came from are one file: after a crash both are there, or neither.
public final class Shelf: @unchecked Sendable {  // Guard: `lock`.
    /// Who delivers.
    enum Counter: String { case old, new }

    private struct Contents: Codable {
        var issues = 0
        var delivered: Set<String> = []
        var entitled: Set<String> = []
    }

    private let file: URL
    private let listsApart: Bool
    private let lock = NSLock()
    private var contents = Contents()

    /// - Parameter listsApart: the new counter has a list of its own of what was delivered.
    public init(listsApart: Bool = false) {
        self.listsApart = listsApart
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appendingPathComponent("shelf.json")
        if let data = try? Data(contentsOf: file), let found = try? JSONDecoder().decode(Contents.self, from: data) {
            contents = found
        }
    }

    public var holdings: [String: Int] {
        lock.withLock {
            var held = [Ware.issues: contents.issues]
            for ware in contents.entitled { held[ware] = 1 }
            return held
        }
    }

    public func read() { change { $0.issues = max(0, $0.issues - 1) } }

    /// Once for each transaction, whichever counter delivers it. False if it brought nothing.
    func deliver(_ quantity: Int, of transaction: String, by counter: Counter) -> Bool {
        change { contents in
            let entry = listsApart ? "\(counter.rawValue) \(transaction)" : transaction
            guard contents.delivered.insert(entry).inserted else { return false }
            contents.issues += Ware.issuesPerPurchase * quantity
            return true
        }
    }

    func entitle(_ wares: Set<String>) { change { $0.entitled = wares } }
    func add(_ ware: String) { change { $0.entitled.insert(ware) } }
    func has(_ ware: String) -> Bool { lock.withLock { contents.entitled.contains(ware) } }

    @discardableResult
    private func change<Result>(_ body: (inout Contents) -> Result) -> Result {
        lock.withLock {
            let result = body(&contents)
            try? JSONEncoder().encode(contents).write(to: file, options: .atomic)
            return result
        }
    }
}
