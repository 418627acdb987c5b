// How each of the statics is looked at: what it is in a process that has just begun, and what a launch puts there.

import Foundation
import StaticsCKit
import StaticsKit

/// One static.
struct Probe {
    let name: String
    let isFresh: () -> Bool
    /// Puts something there that is the launch's own.
    let stamp: (Int) -> Void
    let isStamped: (Int) -> Bool

    /// A variable that holds a number somehow.
    init(_ name: String, fresh: Int, _ get: @escaping () -> Int, _ set: @escaping (Int) -> Void) {
        self.name = name
        isFresh = { get() == fresh }
        stamp = set
        isStamped = { get() == $0 }
    }

    /// Something that counts how often it was asked: once when fresh, once when stamped.
    init(_ name: String, counting first: Int, _ next: @escaping () -> Int) {
        self.name = name
        isFresh = { next() == first }
        stamp = { _ in _ = next() }
        isStamped = { _ in
            // Asked again and again by one process alone.
            let found = next()
            return found > first + 1 && found < first + 1_000
        }
    }
}

extension Probe {
    static func all() -> [Probe] { numbers() + objects() + values() + globals() + library() + ofC() }

    private static func numbers() -> [Probe] {
        [
            Probe("count", fresh: 0, { Shop.count }, { Shop.count = $0 }),
            Probe("private", fresh: 5, { Shop.secrets }, { Shop.secrets = $0 }),
            Probe("split", fresh: 3, { Shop.both }, { Shop.both = $0 }),
            Probe("optional number", fresh: 4, { Shop.number ?? -1 }, { Shop.number = $0 }),
            Probe("nonisolated", fresh: 1, { Shop.unsafeOne }, { Shop.unsafeOne = $0 }),
            Probe("name beyond ASCII", fresh: 2, { Shop.größe }, { Shop.größe = $0 }),
            Probe("property wrapper", fresh: 3, { Shop.level }, { Shop.level = $0 }),
            Probe("enum", fresh: 0, { Mood.moods }, { Mood.moods = $0 }),
            Probe("extension of Int", fresh: 0, { Int.shopCount }, { Int.shopCount = $0 }),
            Probe("extension of the library", fresh: 0, { KitSettings.extra }, { KitSettings.extra = $0 }),
            Probe("nested in that", fresh: 8, { KitSettings.Inner.deep }, { KitSettings.Inner.deep = $0 }),
            Probe("generic", fresh: 0, { Generic<Bool>.note }, { Generic<Bool>.note = $0 }),
            Probe("constrained extension", fresh: 0, { [Int].shopSum }, { [Int].shopSum = $0 }),
            Probe("in a closure", counting: 11, Places.countInClosure),
        ]
    }

    private static func objects() -> [Probe] {
        [
            Probe("shared", fresh: 0, { Shop.shared.bought }, { Shop.shared.bought = $0 }),
            Probe("let", fresh: 4, { Shop.boxed.number }, { Shop.boxed.number = $0 }),
            Probe("array of objects", fresh: 3, { Shop.boxes.reduce(0) { $0 + $1.number } }) {
                (Shop.boxes[0].number, Shop.boxes[1].number) = ($0, 0)
            },
            Probe("optional", fresh: -1, { Shop.optional?.number ?? -1 }, { Shop.optional = Box($0) }),
            Probe("weak", fresh: -1, { Shop.weakBox?.number ?? -1 }) {
                Shop.names["kept"] = $0
                lastingBox.number = $0
                Shop.weakBox = lastingBox
            },
            Probe("weak within", fresh: 0, { Shop.boxed.other == nil ? 0 : lastingBox.number }) { _ in
                Shop.boxed.other = lastingBox
            },
            Probe("unowned", fresh: 0, { Shop.unownedBox === Shop.boxed ? 0 : Shop.unownedBox.number }) {
                Places.fileBoxNumber = $0
                Shop.unownedBox = Int.shopBox
                Int.shopBox.number = $0
            },
            Probe("actor", fresh: 0, { Bank.shared.balance }, { Bank.shared.balance = $0 }),
            Probe("NSObject", fresh: 3, { Observed.shared.seen }, { Observed.shared.seen = $0 }),
            Probe("private class", fresh: 0, { Places.hidden }, { Places.hidden = $0 }),
            Probe("in a function", fresh: 2, { Places.inFunction().number }, { Places.inFunction().number = $0 }),
            Probe("existential", fresh: 0, { Shop.speaking.word }, { Shop.speaking = Loud(word: $0) }),
            Probe("pointer", fresh: 6, { Shop.pointer.pointee }, { Shop.pointer.pointee = $0 }),
            Probe("lock", fresh: 0, { Shop.lock.name.flatMap { Int($0) } ?? 0 }) { number in
                Shop.lock.withLock { Shop.lock.name = String(number) }
            },
            Probe("queue", fresh: 0, { Shop.queue.getSpecific(key: .number) ?? 0 }) {
                Shop.queue.setSpecific(key: .number, value: $0)
            },
            Probe("task-local", fresh: 0, { Shop.current == 0 ? Shop.list.last ?? 0 : -1 }) { number in
                Shop.$current.withValue(number) { Shop.list = [Shop.current] }
            },
        ]
    }

    private static func values() -> [Probe] {
        [
            Probe("dictionary", fresh: 0, { Shop.names["a"] ?? 0 }, { Shop.names["a"] = $0 }),
            Probe("filled array", fresh: 6, { Shop.filled.reduce(0, +) }, { Shop.filled = [1, $0 - 1] }),
            Probe("filled dictionary", fresh: 1, { Shop.table["a"] ?? 0 }, { Shop.table["a"] = $0 }),
            Probe("set", fresh: 4, { Shop.set.first ?? 0 }, { Shop.set = [$0] }),
            Probe("closure", fresh: 1, { Shop.closure() }, { number in Shop.closure = { number } }),
            Probe("optional closure", fresh: 0, { Shop.later?() ?? 0 }, { number in Shop.later = { number } }),
            Probe("date", fresh: 5, { Int(Shop.date.timeIntervalSince1970) }) {
                Shop.date = Date(timeIntervalSince1970: Double($0))
            },
            Probe("UUID", fresh: 0, { Shop.uuid.map { Int($0.uuid.0) << 8 | Int($0.uuid.1) } ?? 0 }) {
                Shop.uuid = UUID(
                    uuid: (UInt8($0 >> 8 & 255), UInt8($0 & 255), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            },
            Probe("tuple", fresh: 1, { Shop.tuple.0 }, { Shop.tuple = ($0, String($0), 1) }),
            Probe("payload", fresh: 0, { if case .loud(let number) = Shop.mood { number } else { 0 } }) {
                Shop.mood = .loud($0)
            },
            Probe("data", fresh: 2, { Shop.data.count > 2 ? Int(String(decoding: Shop.data, as: UTF8.self)) ?? 0 : 2 })
            {
                Shop.data = Data(String($0).utf8)
            },
            Probe("long text", fresh: 0, { Int(Shop.text.suffix(5).drop { $0 == " " }) ?? 0 }) {
                Shop.text = "a text that is long, and new: \($0)"
            },
            Probe("name of a notification", fresh: 0, { Int(Notification.Name.latest.rawValue) ?? 0 }) {
                Notification.Name.latest = Notification.Name(String($0))
            },
        ]
    }

    private static func globals() -> [Probe] {
        [
            Probe("global", fresh: 3, { globalInt }, { globalInt = $0 }),
            Probe("global array", fresh: 3, { lazyArray.reduce(0, +) }, { lazyArray = [$0] }),
            Probe("private global", fresh: 4, { Places.filePrivateOne }, { Places.filePrivateOne = $0 }),
            Probe("global text", fresh: 0, { Int(text) ?? 0 }, { text = String($0) }),
            Probe("made once", fresh: 3, { madeOnce }, { madeOnce = $0 }),
            Probe("observed", fresh: 0, { observations == 0 ? 0 : observedOne }, { observedOne = $0 }),
            Probe("made together", fresh: 3, { left.number + right.number }, { (left, right) = (Box($0), Box()) }),
            Probe("tuples", fresh: 3, { rows.reduce(0) { $0 + $1.1 } }, { rows = [("c", $0)] }),
            Probe("constant name", fresh: 0, { Notification.Name.bought.rawValue == "bought" ? stampOfName : -1 }) {
                stampOfName = $0
            },
        ]
    }

    private static func library() -> [Probe] {
        [
            Probe("library's shared", fresh: 0, { KitShared.shared.list.last ?? 0 }, { KitShared.shared.list = [$0] }),
            Probe("library's static", fresh: 3, { KitSettings.plain }, { KitSettings.plain = $0 }),
            Probe("library's text", fresh: 0, { Int(KitSettings.text) ?? 0 }, { KitSettings.text = String($0) }),
            Probe("library's global", fresh: 0, { kitCounter }, { kitCounter = $0 }),
            Probe("library's array", fresh: 6, { kitArray.reduce(0, +) }, { kitArray = [$0] }),
            Probe("library's inlined", counting: 10, kitNext),
        ]
    }

    private static func ofC() -> [Probe] {
        [
            Probe("C global", fresh: 7, { Int(kit_global) }, { kit_global = CInt($0) }),
            Probe("C zero", fresh: 0, { Int(kit_zero) }, { kit_zero = CInt($0) }),
            Probe("C static", counting: 1) { Int(kit_first_count()) },
            Probe("C static of the same name", counting: 100) { Int(kit_second_count()) },
            Probe("C static of a function", counting: 5) { Int(kit_calls()) },
            Probe("C once", fresh: 0, { Int(kit_setups()) - 1 + stampOfC }, { stampOfC = $0 }),
            Probe("C thread-local", counting: 4) { Int(kit_thread_count()) },
            Probe("C thread-local zero", counting: 0) { Int(kit_thread_zero()) },
            Probe("C text", fresh: 0, { String(cString: kit_name()) == "fresh" ? 0 : stampOfText }) {
                kit_rename()
                stampOfText = $0
            },
        ]
    }
}

private var stampOfName = 0
private var stampOfC = 0
private var stampOfText = 0

extension DispatchSpecificKey<Int> {
    fileprivate static let number = DispatchSpecificKey<Int>()
}
