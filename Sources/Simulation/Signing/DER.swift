// ASN.1 in its distinguished encoding (X.690), as far as receipts need it.
// Values; any thread.

/// Writes values: each is its tag, its length and its content.
package enum DER {
    package enum Tag: UInt8, Sendable {
        case integer = 0x02
        case octetString = 0x04
        case objectIdentifier = 0x06
        case utf8String = 0x0C
        case ia5String = 0x16
        case sequence = 0x30
        case set = 0x31
        /// Context-specific: [0], constructed.
        case tagged = 0xA0
    }

    package static func value(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + 6)
        bytes.append(tag.rawValue)
        if content.count < 0x80 {
            bytes.append(UInt8(content.count))
        } else {
            let length = significant(UInt64(content.count))
            bytes.append(0x80 | UInt8(length.count))
            bytes += length
        }
        return bytes + content
    }

    package static func value(_ tag: Tag, _ parts: [[UInt8]]) -> [UInt8] { value(tag, Array(parts.joined())) }

    /// The members of a set stand in the order of their bytes.
    package static func set(of members: [[UInt8]]) -> [UInt8] { value(.set, inOrder(members)) }

    static func inOrder(_ members: [[UInt8]]) -> [[UInt8]] { members.sorted { $0.lexicographicallyPrecedes($1) } }

    /// An integer that is not negative.
    package static func integer(_ number: UInt64) -> [UInt8] { integer(significant(number)) }

    /// - Parameter magnitude: the bytes of a number that is not negative, the highest first.
    package static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        // The first bit is the sign's.
        let needsZero = digits.first.map { $0 >= 0x80 } ?? true
        return value(.integer, needsZero ? [0] + digits : digits)
    }

    package static func text(_ tag: Tag, _ text: String) -> [UInt8] { value(tag, Array(text.utf8)) }

    private static func significant(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }.drop { $0 == 0 }.map { $0 }
    }
}

/// Reads values one after the other. Whatever the bytes are, it ends with an error, not with a trap.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    package struct Element {
        /// As it is written; `DER.Tag` may lack it.
        package let tag: UInt8
        package let content: ArraySlice<UInt8>
        /// Tag and length included.
        package let encoded: ArraySlice<UInt8>
    }

    /// The bytes are not what was to be read.
    package struct Mismatch: Error, Equatable {
        /// Where, counted from the first byte.
        package let offset: Int
    }

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func next() throws(Mismatch) -> Element {
        let mismatch = Mismatch(offset: rest.startIndex)
        guard rest.count >= 2 else { throw mismatch }
        var place = rest.startIndex + 2
        var length = Int(rest[rest.startIndex + 1])
        if length >= 0x80 {
            let digits = length & 0x7F
            // None: a length that only the end tells, which this encoding has not.
            guard (1...4).contains(digits), rest.endIndex - place >= digits, rest[place] != 0 else { throw mismatch }
            length = rest[place..<place + digits].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 0x80 else { throw mismatch }
            place += digits
        }
        guard rest.endIndex - place >= length else { throw mismatch }
        let element = Element(
            tag: rest[rest.startIndex], content: rest[place..<place + length],
            encoded: rest[rest.startIndex..<place + length])
        rest = rest[(place + length)...]
        return element
    }

    package mutating func next(_ tag: DER.Tag) throws(Mismatch) -> ArraySlice<UInt8> {
        let offset = rest.startIndex
        let element = try next()
        guard element.tag == tag.rawValue else { throw Mismatch(offset: offset) }
        return element.content
    }

    /// The only value of its bytes.
    package static func only(_ tag: DER.Tag, of bytes: ArraySlice<UInt8>) throws(Mismatch) -> ArraySlice<UInt8> {
        var reader = DERReader(bytes)
        let content = try reader.next(tag)
        guard reader.isAtEnd else { throw Mismatch(offset: reader.rest.startIndex) }
        return content
    }

    package mutating func integer() throws(Mismatch) -> Int {
        let offset = rest.startIndex
        let digits = try next(.integer)
        guard (1...7).contains(digits.count), digits[digits.startIndex] < 0x80,
            digits.count == 1 || digits[digits.startIndex] > 0 || digits[digits.startIndex + 1] >= 0x80
        else { throw Mismatch(offset: offset) }
        return digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
