// Values as bytes, from one process of a program to another one of the same build.
// Values; owned by whoever packs or unpacks.

/// Takes values one after the other. What it makes is read by the same build in the same layout of memory, and by
/// nothing else: whoever keeps it in a file keeps beside it which build that was.
package struct Packer {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: bytes that there is room for from the beginning.
    package init(capacity: Int = 0) { if capacity > 0 { bytes.reserveCapacity(capacity) } }

    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// A byte for numbers near zero, ten at most.
    package mutating func put(_ number: Int) {
        var rest = UInt(bitPattern: (number << 1) ^ (number >> (Int.bitWidth - 1)))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func put(_ text: String) {
        put(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func put(_ text: String?) {
        put(text != nil)
        if let text { put(text) }
    }

    /// What `Packer` made elsewhere.
    package mutating func put(_ part: Packer) {
        put(part.bytes.count)
        bytes.append(contentsOf: part.bytes)
    }

    /// A value that points to nothing: its memory as it is.
    package mutating func put<Value>(plain value: Value) {
        precondition(_isPOD(Value.self), "\(Value.self) points to memory of its own")
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }

    package mutating func put<Value>(plain values: [Value]) {
        precondition(_isPOD(Value.self), "\(Value.self) points to memory of its own")
        put(values.count)
        values.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }
}

/// Bytes that end before their values do, or that no `Packer` made.
package struct TornValue: Error {
    package init() {}
}

/// Gives the values back in the order in which they were put.
package struct Unpacker {
    private let bytes: ArraySlice<UInt8>
    private var place: Int
    /// Where code lies here that lay at an address there; nil: where it lay there.
    private let placeHere: ((UInt) -> UInt)?

    /// - Parameter placeHere: for what another process has packed that was not forked from this one.
    package init(_ bytes: ArraySlice<UInt8>, placeHere: ((UInt) -> UInt)? = nil) {
        self.bytes = bytes
        place = bytes.startIndex
        self.placeHere = placeHere
    }

    package var isAtEnd: Bool { place == bytes.endIndex }

    package mutating func number() throws(TornValue) -> Int {
        var value: UInt = 0
        var shift: UInt = 0
        while true {
            guard place < bytes.endIndex, shift < 70 else { throw TornValue() }
            let byte = bytes[place]
            place += 1
            value |= UInt(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
            shift += 7
        }
        return Int(bitPattern: value >> 1) ^ -Int(bitPattern: value & 1)
    }

    /// A number that counts what follows, each in a byte at least.
    package mutating func count() throws(TornValue) -> Int {
        let count = try number()
        guard (0...(bytes.endIndex - place)).contains(count) else { throw TornValue() }
        return count
    }

    package mutating func flag() throws(TornValue) -> Bool { try take(1).first == 1 }

    package mutating func text() throws(TornValue) -> String {
        String(decoding: try take(try count()), as: UTF8.self)
    }

    package mutating func optionalText() throws(TornValue) -> String? { try flag() ? try text() : nil }

    package mutating func part() throws(TornValue) -> Unpacker {
        Unpacker(try take(try count()), placeHere: placeHere)
    }

    /// Addresses of code that were put as plain values.
    package mutating func code() throws(TornValue) -> [UInt] {
        let there = try plains(UInt.self)
        return placeHere.map { there.map($0) } ?? there
    }

    /// What has not been taken yet.
    package var rest: ArraySlice<UInt8> { bytes[place...] }

    package mutating func plain<Value>(_ type: Value.Type) throws(TornValue) -> Value {
        precondition(_isPOD(Value.self), "\(Value.self) points to memory of its own")
        return try take(MemoryLayout<Value>.size).withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }

    package mutating func plains<Value>(_ type: Value.Type) throws(TornValue) -> [Value] {
        precondition(_isPOD(Value.self), "\(Value.self) points to memory of its own")
        let count = try count()
        let (size, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        if isTooMuch { throw TornValue() }
        let source = try take(size)
        return [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
            source.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
            initialized = count
        }
    }

    private mutating func take(_ count: Int) throws(TornValue) -> ArraySlice<UInt8> {
        guard count <= bytes.endIndex - place else { throw TornValue() }
        defer { place += count }
        return bytes[place..<(place + count)]
    }
}
