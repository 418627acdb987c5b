// ASN.1 in its distinguished encoding (X.690).

import Testing

@testable import Simulation

@Suite struct DERTests {
    @Test(
        arguments: [
            (0, [2, 1, 0]), (127, [2, 1, 0x7F]), (128, [2, 2, 0, 0x80]), (256, [2, 2, 1, 0]),
            (1_702, [2, 2, 6, 0xA6]),
        ] as [(Int, [UInt8])])
    func integerHasItsSign(_ number: Int, _ bytes: [UInt8]) throws {
        #expect(DER.integer(UInt64(number)) == bytes)
        var reader = DERReader(bytes[...])
        #expect(try reader.integer() == number && reader.isAtEnd)
    }

    @Test(
        arguments: [
            (0, [4, 0]), (127, [4, 127]), (128, [4, 0x81, 128]), (255, [4, 0x81, 255]), (256, [4, 0x82, 1, 0]),
            (70_000, [4, 0x83, 1, 0x11, 0x70]),
        ] as [(Int, [UInt8])])
    func lengthIsTheShortest(_ length: Int, _ head: [UInt8]) throws {
        let content = [UInt8](repeating: 7, count: length)
        let bytes = DER.value(.octetString, content)
        #expect(Array(bytes.prefix(head.count)) == head && bytes.count == head.count + length)
        #expect(try DERReader.only(.octetString, of: bytes[...]).elementsEqual(content))
    }

    @Test func setIsInOrder() {
        let members: [[UInt8]] = [DER.integer(300), DER.integer(2), DER.integer(1)]
        #expect(DER.set(of: members) == [0x31, 10, 2, 1, 1, 2, 1, 2, 2, 2, 1, 44])
    }

    @Test(
        arguments: [
            [], [2], [2, 1], [2, 0x80, 0, 0], [2, 0x81, 1, 5], [2, 0x85, 0, 0, 0, 0, 1, 5],
            [2, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [2, 0], [2, 1, 0x80], [2, 2, 0, 5], [2, 8, 1, 1, 2, 3, 4, 5, 6, 7],
            [4, 1, 5],
        ] as [[UInt8]])
    func whatIsNoIntegerIsRefused(_ bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        #expect(throws: DERReader.Mismatch(offset: 0)) { try reader.integer() }
    }
}
