// The symbols of a program or library, from its file: what is writable, where it lies and what it is called.
// A value over the file's bytes; any thread.

internal import CStatics
internal import Foundation

/// A 64-bit ELF file of this machine's byte order.
struct SymbolTable {
    /// A variable, as the linker knows it.
    struct Symbol {
        let name: String
        /// The source or object file that it is local to; empty for what others may refer to.
        let file: String
        let address: UInt
        let size: Int
        let isThreadLocal: Bool
    }

    fileprivate struct Section {
        let name: String
        let type: UInt32
        let flags: UInt64
        let address, offset, size: Int
        let link: Int
    }

    private let bytes: Data
    private let sections: [Section]

    /// nil: no such file, or none that can be read.
    init?(path: String) {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
            bytes.count >= 64, bytes.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1])
        else { return nil }
        self.bytes = bytes
        let table = Int(bytes.word(40))
        let (size, count) = (Int(bytes.half(58)), Int(bytes.half(60)))
        let nameTable = Int(bytes.half(62))
        guard size >= 64, table >= 64, table + size * count <= bytes.count, nameTable < count else { return nil }
        let names = Int(bytes.word(table + nameTable * size + 24))
        sections = (0..<count).map { index in
            let start = table + index * size
            return Section(
                name: bytes.text(names + Int(bytes.long(start))), type: bytes.long(start + 4),
                flags: bytes.word(start + 8), address: Int(bytes.word(start + 16)), offset: Int(bytes.word(start + 24)),
                size: Int(bytes.word(start + 32)), link: Int(bytes.long(start + 40)))
        }
    }

    /// Whether the names of what is not exported are there.
    var isStripped: Bool { !sections.contains { $0.type == Self.symbols } }

    /// Whether it defines a function or variable of one of these names. Linkers make local what only the program itself uses.
    func defines(_ wanted: [String]) -> Bool {
        guard let entries = sections.first(where: { $0.type == Self.symbols }) else { return false }
        let names = sections[entries.link]
        return bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let base, let texts = raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
            return wanted.contains {
                stampede_symbols_define(
                    base + entries.offset, entries.size / Self.entrySize, texts + names.offset, names.size, $0)
            }
        }
    }

    /// Variables that stay writable while the program runs, by address.
    var writable: [Symbol] {
        var found: [Symbol] = []
        var file = ""
        let copies = copied
        for entry in entries([.variable, .file, .threadLocal], in: sections.map(\.staysWritable)) {
            if entry.kind == .file { file = bytes.text(entry.name) }
            guard entry.kind != .file, entry.size > 0, !copies.contains(entry.address) else { continue }
            found.append(
                Symbol(
                    name: bytes.text(entry.name), file: entry.isLocal ? file : "", address: entry.address,
                    size: entry.size, isThreadLocal: entry.kind == .threadLocal))
        }
        return found.sorted { ($0.address, $0.name) < ($1.address, $1.name) }
    }

    /// Mangled names of the descriptors of methods that override nothing.
    var methodDescriptors: [String] {
        entries([.variable], in: defined).compactMap { entry in
            let name = bytes.text(entry.name)
            return name.hasSuffix(FunctionName.descriptorSuffix) ? name : nil
        }
    }

    /// A function, as the linker knows it.
    struct Function {
        fileprivate let nameStart: Int
        let address: UInt
        let size: Int
    }

    /// By address. Their names are read one by one: there are very many.
    var functions: [Function] {
        entries([.function], in: sections.map { _ in true }).filter { $0.size > 0 }
            .map { Function(nameStart: $0.name, address: $0.address, size: $0.size) }
            .sorted { ($0.address, $0.nameStart) < ($1.address, $1.nameStart) }
    }

    func name(of function: Function) -> String { bytes.text(function.nameStart) }

    /// Whether memory holds what the file begins with: nothing has been written there yet.
    ///
    /// - Parameter live: the memory, once relocated by `bias`.
    func isUntouched(_ live: UnsafeRawBufferPointer, at address: UInt, bias: UInt, relocated: Set<UInt>) -> Bool {
        guard let section = sections.first(where: { $0.contains(address) }) else { return false }
        let start = section.type == Self.zeros ? nil : section.offset + Int(address) - section.address
        var place = 0
        while place < live.count {
            let here = address + UInt(place)
            if here % 8 == 0, place + 8 <= live.count, relocated.contains(here) {
                place += 8
                continue
            }
            if live[place] != start.map({ bytes[bytes.startIndex + $0 + place] }) ?? 0 { return false }
            place += 1
        }
        return true
    }

    /// Words that the dynamic linker fills in.
    var relocated: Set<UInt> { Set(relocations.map(\.address)) }

    /// Variables of libraries that the linker has moved here.
    private var copied: Set<UInt> {
        #if arch(arm64)
            let copy: UInt32 = 1_024
        #else
            let copy: UInt32 = 5
        #endif
        return Set(relocations.filter { $0.type == copy }.map(\.address))
    }

    private var relocations: [(address: UInt, type: UInt32)] {
        sections.filter { $0.type == Self.relocations && $0.flags & Self.allocated != 0 }.flatMap { section in
            stride(from: section.offset, to: section.offset + section.size, by: 24).map {
                (UInt(bytes.word($0)), bytes.long($0 + 8))
            }
        }
    }

    private enum Kind: UInt8 {
        case variable = 1
        case function = 2
        case file = 4
        case threadLocal = 6
    }

    private struct Entry {
        let name: Int
        let kind: Kind
        let isLocal: Bool
        let address: UInt
        let size: Int
    }

    /// What is defined at all lies in one of them.
    private var defined: [Bool] { sections.indices.map { $0 != 0 } }

    /// Entries of some kinds, in the order of the table.
    ///
    /// - Parameter wanted: for each section, whether to return its entries.
    private func entries(_ kinds: [Kind], in wanted: [Bool]) -> [Entry] {
        guard let table = sections.first(where: { $0.type == Self.symbols }) else { return [] }
        let names = sections[table.link].offset
        let bits = kinds.reduce(0 as UInt32) { $0 | 1 << UInt32($1.rawValue) }
        return bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return [] }
            var found: [Entry] = []
            var place = 0
            var symbol = stampede_symbol()
            while stampede_next_symbol(
                base + table.offset, table.size / Self.entrySize, &place, bits, wanted, wanted.count, &symbol)
            {
                guard let kind = Kind(rawValue: symbol.kind) else { continue }
                found.append(
                    Entry(
                        name: names + Int(symbol.name), kind: kind, isLocal: symbol.binding == 0,
                        address: UInt(symbol.address), size: Int(symbol.size)))
            }
            return found
        }
    }

    private static let entrySize = 24
    private static let symbols: UInt32 = 2
    private static let relocations: UInt32 = 4
    private static let zeros: UInt32 = 8
    private static let writing: UInt64 = 1
    private static let allocated: UInt64 = 2
}

extension SymbolTable.Section {
    /// Whether variables of a program lie there, other than those that are fixed once relocated.
    fileprivate var staysWritable: Bool {
        guard flags & 3 == 3, type == 1 || type == 8 else { return false }
        if name.hasPrefix(".") {
            return !name.hasPrefix(".data.rel.ro")
                && [".data", ".bss", ".tdata", ".tbss", ".ldata", ".lbss", ".sdata", ".sbss"].contains {
                    name == $0 || name.hasPrefix($0 + ".")
                }
        }
        // A section that the program named itself; these prefixes are the compiler's.
        return !["swift5", "asan", "__sancov", "__llvm"].contains { name.hasPrefix($0) }
    }

    fileprivate func contains(_ place: UInt) -> Bool {
        // Thread-locals have addresses of their own kind.
        flags & 0x402 == 2 && Int(place) >= address && Int(place) < address + size
    }
}

extension Data {
    fileprivate func byte(_ place: Int) -> UInt8 { self[startIndex + place] }

    fileprivate func half(_ place: Int) -> UInt16 { load(place) }

    fileprivate func long(_ place: Int) -> UInt32 { load(place) }

    fileprivate func word(_ place: Int) -> UInt64 { load(place) }

    private func load<Value: FixedWidthInteger>(_ place: Int) -> Value {
        withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Value.self) }
    }

    fileprivate func text(_ place: Int) -> String {
        withUnsafeBytes { raw in
            guard place < raw.count, let base = raw.baseAddress else { return "" }
            return String(cString: (base + place).assumingMemoryBound(to: CChar.self))
        }
    }
}
