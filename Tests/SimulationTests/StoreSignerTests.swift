// S70: signatures by ES256, the same for the same text.

import Foundation
import Testing

@testable import Simulation

@Suite struct StoreSignerTests {
    // RFC 6979, A.2.5.
    private static let key: [UInt8] = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.count, by: 2).map { place in
            UInt8(digits.dropFirst(place).prefix(2), radix: 16)!  // A literal.
        }
    }

    @Test(arguments: [
        (
            "sample",
            """
            EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716\
            F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8
            """
        ),
        (
            "test",
            """
            F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367\
            019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083
            """
        ),
    ])
    func signatureIsTheStandards(_ text: String, _ signature: String) throws {
        let library = try #require(CryptoLibrary.system)
        let signer = try #require(StoreSigner(privateKey: Self.key, library: library))
        #expect(signer.signature(of: Array(text.utf8)) == Self.bytes(signature))
    }

    // A number below 2^248, say, keeps its 32 bytes.
    @Test func everySignatureHasItsLength() throws {
        let signer = try #require(StoreSigner.shared)
        for number in 0..<600 { #expect(signer.signature(of: Array("\(number)".utf8)).count == 64) }
    }

    @Test func digestIsSHA384() throws {
        let digest = try #require(StoreSigner.shared).sha384(Array("abc".utf8))
        #expect(
            digest
                == Self.bytes(
                    """
                    CB00753F45A35E8BB5A03D699AC65007272C32AB0EDED1631A8B605A43FF5BED\
                    8086072BA1E7CC2358BAECA134C825A7
                    """))
    }

    @Test func signersWorkSideBySide() async throws {
        let signer = try #require(StoreSigner.shared)
        let text = Array("text".utf8)
        let alone = signer.signature(of: text)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { signer.signature(of: text) == alone } }
            for await isSame in group { #expect(isSame) }
        }
    }

    @Test func partsOfATextAreBase64OfTheURLKind() {
        let part = String(decoding: SignedText.signedPart(Data([0xFB, 0xEF, 0xFF, 0xFA])), as: UTF8.self)
        #expect(part.hasSuffix(".--__-g") && !part.contains("="))
    }
}
