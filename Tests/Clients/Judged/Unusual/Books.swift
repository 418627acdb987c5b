// Clients that keep their books in an unusual way: journal, ledger, set, blob, file.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: Journal first

/// Writes a transaction to a journal, and carries that over to the goods later.
///
/// Habit: a write-ahead journal. What stands in it is held already; the next launch, a timer, or the wish to use
/// something brings it over, and each entry leaves the journal in the same write that brings its goods.
final class JournalFirstShop: UnusualShop {
    override class var name: String { "unusual-journal-first" }
    override class var summary: String { "Journals a transaction, finishes it, and books its goods later." }

    override class var options: [ClientOption] {
        [
            ClientOption(
                name: "drain", values: ["for", "while"],
                meaning: "how the journal is carried over: line by line, or until storage shows it empty")
        ]
    }

    private var journal: JournalShelf? { shelf as? JournalShelf }

    override func makeShelf() -> Shelf { JournalShelf(environment) }

    override func launch() {
        journal?.carryOver()
        super.launch()
    }

    override func deliver(_ told: Delivery) -> Bool {
        let isNew = shelf.deliver(told)
        environment.main.asyncAfter(seconds: 1.5) { [weak self] in
            self?.journal?.carryOver()
            self?.shelf.giveUpWhatIsOver(of: told.product)
        }
        return isNew
    }

    override func use(_ productIdentifier: String) {
        journal?.carryOver()
        super.use(productIdentifier)
    }
}

/// A shelf whose sales stand in a journal before they are booked.
final class JournalShelf: Shelf {
    private struct Line {
        let text: String
        let id: String
        let product: String
        let quantity: Int

        init?(_ text: String) {
            let parts = text.split(separator: "|").map(String.init)
            guard parts.count == 3, let quantity = Int(parts[2]) else { return nil }
            self.text = text
            id = parts[0]
            product = parts[1]
            self.quantity = quantity
        }
    }

    private var lines: [Line] { Self.split(text("journal")).compactMap { Line($0) } }

    override func isGiven(_ id: String) -> Bool { super.isGiven(id) || lines.contains { $0.id == id } }

    override func deliver(_ told: Delivery) -> Bool {
        guard let id = told.identifier, sold.contains(told.product), !isGiven(id) else { return false }
        let line = "\(id)|\(told.product)|\(told.payment.quantity)"
        commit([("journal", .text(Self.join(lines.map(\.text) + [line])))])
        return true
    }

    override func held(_ product: String) -> Int {
        let waiting = lines.filter { $0.product == product }
        if isConsumable(product) { return count(of: product) + waiting.reduce(0) { $0 + $1.quantity } }
        return waiting.isEmpty ? super.held(product) : 1
    }

    /// Books what the journal holds, each entry in one write with its way out of the journal.
    func carryOver() {
        if environment.options["drain"] == "while" {
            while let line = lines.first { carryOver(line) }
        } else {
            for line in lines { carryOver(line) }
        }
    }

    private func carryOver(_ line: Line) {
        let left = Self.join(lines.filter { $0.id != line.id }.map(\.text))
        let rest: (key: String, value: AppValue?) = ("journal", left.isEmpty ? nil : .text(left))
        if isConsumable(line.product) {
            let count = count(of: line.product) + line.quantity
            commit([("count." + line.product, .integer(count)), mark(line.id), rest])
        } else {
            let sources = rights(of: line.product).filter { $0 != line.id } + [line.id]
            commit([("right." + line.product, .text(Self.join(sources))), mark(line.id), rest])
        }
    }

    override func giveUpWhatIsOver(of only: String?) {
        carryOver()
        super.giveUpWhatIsOver(of: only)
    }
}

// MARK: Ledger

/// Computes what is held from a ledger that only grows.
///
/// Habit: entitlements are a view over an append-only ledger; nothing is ever changed or taken away in it.
final class LedgerShop: UnusualShop {
    override class var name: String { "unusual-ledger" }
    override class var summary: String { "Holds what an append-only ledger adds up to." }
    override func makeShelf() -> Shelf { LedgerShelf(environment) }
}

/// A shelf that notes what happens, line by line, and counts when it is asked.
final class LedgerShelf: Shelf {
    private func lines(of product: String? = nil) -> [[String]] {
        let lines = (0..<number("ledger.lines")).map { text("ledger.\($0)").components(separatedBy: "|") }
        return lines.filter { product == nil || $0[1] == product }
    }

    private func append(_ new: [[String]]) {
        let count = number("ledger.lines")
        var changes: [(key: String, value: AppValue?)] = [("ledger.lines", .integer(count + new.count))]
        for (place, line) in new.enumerated() {
            changes.append(("ledger.\(count + place)", .text(line.joined(separator: "|"))))
        }
        commit(changes)
    }

    override func record(_ entry: Entry) {
        switch entry {
        case .sale(let id, let product, let quantity): append([["sale", product, "\(quantity)", id]])
        case .right(let id, let product, let source, _): append([["right", product, source, id ?? ""]])
        case .end(let product, let sources): append(sources.map { ["end", product, $0, ""] })
        case .use(let product): append([["use", product, "1", ""]])
        }
    }

    override func count(of product: String) -> Int {
        lines(of: product).reduce(0) { sum, line in
            sum + (line[0] == "sale" ? 1 : line[0] == "use" ? -1 : 0) * (Int(line[2]) ?? 0)
        }
    }

    override func rights(of product: String) -> [String] {
        var sources: [String] = []
        for line in lines(of: product) {
            if line[0] == "right" { sources.append(line[2]) }
            if line[0] == "end" { sources.removeAll { $0 == line[2] } }
        }
        return sources
    }

    override func isGiven(_ id: String) -> Bool { lines().contains { $0[3] == id } }
}

// MARK: One set

/// Keeps the identifiers of all delivered transactions as one value.
///
/// Habit: an idempotent set, written whole in one step with the goods.
final class DeliveredSetShop: UnusualShop {
    override class var name: String { "unusual-delivered-set" }
    override class var summary: String { "Keeps one set of delivered transactions, written whole with the goods." }
    override func makeShelf() -> Shelf { SetShelf(environment) }
}

/// A shelf with one value for everything that was delivered.
final class SetShelf: Shelf {
    private var given: [String] { Self.split(text("given")) }

    override func isGiven(_ id: String) -> Bool { given.contains(id) }
    override func mark(_ id: String) -> (key: String, value: AppValue?) { ("given", .text(Self.join(given + [id]))) }
}

// MARK: One blob

/// Keeps everything in one value of the user defaults.
///
/// Habit: `UserDefaults.set` and `synchronize` in place of a database. As a set is atomic for one key only, there is
/// one key.
final class DefaultsBlobShop: UnusualShop {
    override class var name: String { "unusual-defaults-blob" }
    override class var summary: String { "Keeps goods and transactions in one value of the user defaults." }
    override func makeShelf() -> Shelf { DefaultsShelf(environment) }
}

/// A shelf that writes all its keys as one text.
class BlobShelf: Shelf {
    func load() -> String { "" }
    func store(_ text: String) {}

    private var values: [String: String] {
        (try? JSONDecoder().decode([String: String].self, from: Data(load().utf8))) ?? [:]
    }

    override func number(_ key: String) -> Int { values[key].flatMap { Int($0) } ?? 0 }
    override func text(_ key: String) -> String { values[key] ?? "" }
    override func has(_ key: String) -> Bool { values[key] != nil }

    override func commit(_ changes: [(key: String, value: AppValue?)]) {
        var values = values
        for change in changes {
            switch change.value {
            case .integer(let number): values[change.key] = String(number)
            case .flag(let flag): values[change.key] = flag ? "1" : "0"
            case .text(let text): values[change.key] = text
            case .data, nil: values[change.key] = nil
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let data = try? encoder.encode(values) else { return environment.assertionFailed() }
        store(String(decoding: data, as: UTF8.self))
    }
}

/// A blob in the user defaults.
final class DefaultsShelf: BlobShelf {
    override func load() -> String { environment.durableText("shop") }

    override func store(_ text: String) {
        environment.defaults.set(.text(text), forKey: "shop")
        environment.defaults.synchronize()
    }
}

// MARK: A file

/// Keeps everything in a file of its own.
///
/// Habit: goods are no defaults but a document, written whole each time.
final class FileShop: UnusualShop {
    override class var name: String { "unusual-file" }
    override class var summary: String { "Keeps goods and transactions in a file that it writes whole." }
    override func makeShelf() -> Shelf { FileShelf(environment) }
}

/// A blob in a file.
final class FileShelf: BlobShelf {
    override func load() -> String {
        environment.files.read("Documents/purchases.json").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    override func store(_ text: String) { environment.files.write(Data(text.utf8), to: "Documents/purchases.json") }
}
