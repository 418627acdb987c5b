// R60: the text under a signature, and the library that checks it.

import Foundation
import Testing

@testable import Simulation

@Suite struct OfferSignatureTests {
    private static let discount = PaymentDiscountValue(
        identifier: "half", keyIdentifier: "KEY1", nonce: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!,
        signature: "", timestamp: 1_767_225_600_000)

    // A P-256 key in PKCS#8, made for this test.
    private static let key = Array(
        Data(
            base64Encoded: """
                MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgANa93QD2YKI3aOOszk1hOWeY1SGP4wOTHnj8jmm1sHmhRANC\
                AAQ3ty2SLioQWJKEtd13yVWKADWY7xWULQ1A4Z2JbC2aCsWJhtz9ixpWmg52OBLgsYEY5O0yHs63QaHknZjJ6bMT
                """)!)  // A literal.

    private static let payload = [
        "com.example.app", "KEY1", "com.example.pro.month", "half", "", "6f9619ff-8b86-d011-b42d-00c04fc964ff",
        "1767225600000",
    ].joined(separator: "\u{2063}")
    // By `openssl dgst -sha256 -sign`.
    private static let signature =
        "MEUCIAmX57p91DELvHGTE3M4VteQl+E29RiUXN7xdHnY/BfXAiEA/wjQymO43FnVl911ujCsU3VHklDJRBIfcfER//pbaxQ="

    @Test(arguments: [(nil, ""), ("Ann", "ann")] as [(String?, String)])
    func signedTextHoldsSevenPartsInLowerCase(_ username: String?, _ part: String) {
        let text = OfferSignature.payload(bundle: "B", product: "P", username: username, Self.discount)
        #expect(
            text.split(separator: "\u{2063}", omittingEmptySubsequences: false) == [
                "B", "KEY1", "P", "half", "\(part)", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "1767225600000",
            ])
    }

    @Test func signatureIsValidForItsTextOnly() throws {
        let verifier = try #require(OfferVerifier(privateKey: Self.key))
        #expect(verifier.isValid(Self.signature, of: Self.payload))
        #expect(!verifier.isValid(Self.signature, of: Self.payload + " "))
        #expect(!verifier.isValid("", of: Self.payload))
        #expect(!verifier.isValid("%%%", of: Self.payload))
        // Asked again it says the same: nothing is left over from a failure.
        #expect(verifier.isValid(Self.signature, of: Self.payload))
    }

    @Test(arguments: [[], [0], Array(key.dropLast(40)), Array(repeating: 0xFF, count: 138)] as [[UInt8]])
    func invalidKeyGivesNoVerifier(_ bytes: [UInt8]) {
        #expect(OfferVerifier(privateKey: bytes) == nil)
    }

    // Where the library is missing, or is another one.
    @Test func missingLibraryGivesNoVerifier() {
        #expect(CryptoLibrary(names: ["libnobody-has-this.so.9"]) == nil)
        #expect(CryptoLibrary(names: ["libc.so.6"]) == nil)
        #expect(OfferVerifier(privateKey: Self.key, library: nil) == nil)
        #expect(CryptoLibrary(names: ["libnobody-has-this.so.9"] + CryptoLibrary.names) != nil)
    }

    @Test(arguments: [(24, false), (25, true), (-25, false)] as [(Int64, Bool)])
    func offerExpiresAfterADay(_ hours: Int64, _ isExpired: Bool) {
        let date = TimelineCalendar.simulated.date(of: .start + Span.hours(hours))
        #expect(OfferSignature.isExpired(Self.discount, at: date) == isExpired)
    }

    // A client may put anything there.
    @Test(arguments: [Int64.min, Int64.max])
    func extremeOfferTimestampDoesNotTrap(_ timestamp: Int64) {
        let discount = PaymentDiscountValue(
            identifier: "", keyIdentifier: "", nonce: Self.discount.nonce, signature: "", timestamp: timestamp)
        #expect(OfferSignature.isExpired(discount, at: TimelineCalendar.simulated.date(of: .start)) == (timestamp < 0))
    }
}
