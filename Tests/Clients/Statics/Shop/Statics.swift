// An app's statics and globals, of every kind that compilers lay out in a way of its own.

import Dispatch
import Foundation
import StaticsKit

@propertyWrapper public struct Clamped {
    private var value: Int
    public init(wrappedValue: Int) { value = wrappedValue }
    public var wrappedValue: Int {
        get { value }
        set { value = newValue }
    }
}

protocol Speaking { var word: Int { get } }
struct Quiet: Speaking { var word = 0 }
struct Loud: Speaking {
    var word: Int
    var (a, b, c): (Int, Int, Int)

    init(word: Int) {
        self.word = word
        (a, b, c) = (1, 2, 3)
    }
}

final class Box {
    var number: Int
    weak var other: Box?
    init(_ number: Int = 0) { self.number = number }
}

enum Mood: Equatable {
    case calm
    case loud(Int)
    static var moods = 0
}

final class Shop: NSObject {
    static let shared = Shop()
    var bought = 0

    static var count = 0
    private static var secret = 5
    static var names: [String: Int] = [:]
    static var list: [Int] = []
    static var filled = [1, 2, 3]
    static var table = ["a": 1]
    static var set: Set<Int> = [4]
    static let boxed = Box(4)
    static var boxes = [Box(1), Box(2)]
    static var optional: Box?
    static weak var weakBox: Box?
    static unowned var unownedBox: Box = Shop.boxed
    static var speaking: any Speaking = Quiet()
    static var closure: () -> Int = { 1 }
    static var later: (() -> Int)?
    static var date = Date(timeIntervalSince1970: 5)
    static var uuid: UUID?
    static var tuple = (1, "two", 3.0)
    private static var pair: (a: Int, b: Int) = (1, 2)
    static var number: Int? = 4
    static var mood = Mood.calm
    static var data = Data([1, 2])
    static var text = "a text that is too long to lie within its own sixteen bytes"
    @Clamped static var level = 3
    @TaskLocal static var current = 0
    static let lock = NSLock()
    static let queue = DispatchQueue(label: "shop")
    static let pointer: UnsafeMutablePointer<Int> = {
        let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        pointer.pointee = 6
        return pointer
    }()
    nonisolated(unsafe) static var unsafeOne = 1
    static var größe = 2

    static var secrets: Int {
        get { secret }
        set { secret = newValue }
    }
    static var both: Int {
        get { pair.a + pair.b }
        set { pair = (newValue, 0) }
    }
}

actor Bank {
    static let shared = Bank()
    nonisolated(unsafe) var balance = 0
}

class Observed: NSObject {
    static let shared = Observed()
    lazy var seen = 3
}

private final class Hidden {
    static let shared = Hidden()
    var number = 0
}

extension Int {
    static var shopCount = 0
    static let shopBox = Box(1)
}

extension KitSettings {
    static var extra = 0
    struct Inner { static var deep = 8 }
}

extension Notification.Name {
    static let bought = Notification.Name("bought")
    static var latest = Notification.Name("none")
}

extension Array where Element == Int {
    static var shopSum: Int {
        get { sums["Int", default: 0] }
        set { sums["Int"] = newValue }
    }
}

private var sums: [String: Int] = [:]
var globalInt = 3
var lazyArray = [1, 2]
private var filePrivate = 4
private let fileBox = Box(9)
var text = "a"
let lastingBox = Box()
var madeOnce: Int = { (0..<3).reduce(0, +) }()
var observedOne = 1 { didSet { observations += 1 } }
var observations = 0
var (left, right) = (makeSide(1), makeSide(2))
var rows: [(String, Int)] = [("a", 1), ("b", 2)]

private func makeSide(_ number: Int) -> Box { Box(number) }

struct Generic<Value> {
    static var note: Int {
        get { notes["\(Value.self)", default: 0] }
        set { notes["\(Value.self)"] = newValue }
    }
}
private var notes: [String: Int] = [:]

enum Places {
    static func inFunction() -> Box {
        struct Local { static let box = Box(2) }
        return Local.box
    }

    static func countInClosure() -> Int {
        let next = { () -> Int in
            struct Local { static var count = 10 }
            Local.count += 1
            return Local.count
        }
        return next()
    }

    static var filePrivateOne: Int {
        get { filePrivate }
        set { filePrivate = newValue }
    }
    static var fileBoxNumber: Int {
        get { fileBox.number }
        set { fileBox.number = newValue }
    }
    static var hidden: Int {
        get { Hidden.shared.number }
        set { Hidden.shared.number = newValue }
    }
}
