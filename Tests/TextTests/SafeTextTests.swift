// What a text from outside may hold where people read it.

import Testing
import Text

@Suite struct SafeTextTests {
    @Test(
        arguments: [
            0x00, 0x0A, 0x1B, 0x7F, 0x85, 0x200E, 0x200F, 0x202A, 0x202E, 0x2028, 0x2029, 0x2060, 0x2066, 0x2069,
            0x061C,
            0xFEFF, 0xFFFE, 0x1FFFF,
        ] as [UInt32])
    func unsafeScalarsAreDetectedAndRemoved(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(scalar.isUnsafe)
        #expect(!quoted("coins" + String(scalar)).unicodeScalars.contains(scalar))
    }

    @Test(arguments: ["a", " ", "~", "ü", "€", "ب", "好", "👩‍👩‍👧", "क्‍ष", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "\u{FFFD}"])
    func ordinaryTextIsSafe(text: String) {
        #expect(!text.unicodeScalars.contains { $0.isUnsafe })
    }
}
