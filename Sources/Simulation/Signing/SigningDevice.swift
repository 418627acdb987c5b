// A device's part in what the App Store signs for it.
// A value; any thread.

package import Foundation
internal import Synchronization

/// The device that a value was signed for. Nothing is drawn of the run's chance: identifiers follow from numbers.
package struct SigningDevice: Sendable, Hashable {
    private let number: Int

    /// - Parameter number: each device of a run has another one.
    init(number: Int) { self.number = number }

    /// `AppStore.deviceVerificationID`.
    package var identifier: UUID { uuid(0, 0) }

    /// Of one signing: another one for each value and each time (S72).
    ///
    /// - Parameter subject: the number of what is signed.
    package func nonce(_ subject: Int64, at instant: Instant) -> UUID { uuid(subject, instant.nanoseconds) }

    /// S71: the SHA-384 of nonce and identifier, both in lower case.
    ///
    /// Zeros if there is no library to compute it with.
    package func verification(_ nonce: UUID) -> Data {
        let text = nonce.lowercased + identifier.lowercased
        return Data(StoreSigner.shared?.sha384(Array(text.utf8)) ?? [UInt8](repeating: 0, count: 48))
    }

    private func uuid(_ subject: Int64, _ nanoseconds: Int64) -> UUID {
        let seed = UInt64(bitPattern: subject &* 1_000_003 &+ nanoseconds)
        var stream = RandomStream(seed: seed, user: number, purpose: .signing)
        var uuid = unsafeBitCast((stream.next(), stream.next()), to: uuid_t.self)
        // RFC 9562, 5.4: version 4.
        uuid.6 = uuid.6 & 0x0F | 0x40
        uuid.8 = uuid.8 & 0x3F | 0x80
        return UUID(uuid: uuid)
    }
}

extension UUID {
    /// As the App Store writes it.
    package var lowercased: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var count = 0
            withUnsafeBytes(of: uuid) { bytes in
                for (place, byte) in bytes.enumerated() {
                    for digit in [byte >> 4, byte & 15] {
                        text[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                        count += 1
                    }
                    if place == 3 || place == 5 || place == 7 || place == 9 {
                        text[count] = UInt8(ascii: "-")
                        count += 1
                    }
                }
            }
            return count
        }
    }
}

extension Device {
    /// Any thread.
    package var signingDevice: SigningDevice { SigningDevice(number: Self.streamNumber(user: user, device: number)) }

    /// Of the app's installation on this phone: the same at each launch, another one after the app was deleted and installed
    /// again. Any thread.
    package var identifierForVendor: UUID {
        let place = UInt64(user) << 24 ^ UInt64(number) << 16 ^ UInt64(installations.load(ordering: .relaxed))
        return UUID(uuid: unsafeBitCast((Self.mixed(place), Self.mixed(~place)), to: uuid_t.self))
    }

    /// Spreads a difference in a few bits over all bits; the mapping cannot be undone.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = (number &+ 1) &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// S73: whether the scenario has what StoreKit 2 hands over fail, now or before.
    package var mayFailToVerify: Bool { daemon.delivery.mayFailToVerify }

    /// S73: why the next value that the app is handed cannot be verified; nil: it can. On the lane.
    package func drawVerificationFlaw() -> VerificationFlaw? { daemon.delivery.verificationFlaw() }

    /// S73: a transaction that the store never made, if this launch is one in which the app receives one. On the lane.
    package func drawForgery() -> PurchaseFact? {
        let products = edition.catalog.products
        guard let product = daemon.delivery.forgery(ofOneOf: products.count) else { return nil }
        var transaction = StoreTransaction(
            id: .forged(Self.streamNumber(user: user, device: number)), original: nil, originalDate: nil,
            product: products[product].index, quantity: 1, at: lane.now, origin: .outside, payment: nil,
            applicationUsername: nil, isCharged: false)
        if let terms = products[product].subscription {
            transaction.expiresAt = lane.now + SubscriptionTimeRate.realTime.length(of: terms.period)
        }
        return PurchaseFact(transaction, handle: 0, in: nil)
    }
}
