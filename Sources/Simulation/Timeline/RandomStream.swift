// The only source of chance in the project.
// Value type, owned by its one reader; any thread.

/// What a stream of chance is for. Each purpose of each user has a stream of its own,
/// so that one draw more in one place changes nothing anywhere else.
package enum ChancePurpose: UInt64, Sendable, CaseIterable {
    case population = 1
    case journey
    case buyer
    case link
    case offline
    case store
    case crash
    case client
    case relaunch
    case delivery
    case validator
    /// In which order events run that are due together.
    case order
    /// What a generated scenario consists of.
    case drawing
    /// What the servers do that a scenario describes.
    case servers
    /// What tells signings of StoreKit 2 apart.
    case signing
}

/// SplitMix64: eight bytes of state, passes BigCrush, and may be seeded with anything.
package struct RandomStream: Sendable, RandomNumberGenerator {
    private var state: UInt64

    /// The stream of one purpose of one user in a run with this seed.
    package init(seed: UInt64, user: Int, purpose: ChancePurpose) {
        // Three rounds of mixing: neighbouring seeds, users and purposes must not give related streams.
        var mixed = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
        mixed = Self.mix(mixed ^ (UInt64(bitPattern: Int64(user)) &* 0xD1B5_4A32_D192_ED03))
        state = Self.mix(mixed ^ (purpose.rawValue &* 0x8CB9_2BA7_2F3D_8DD7))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// Uniform in `0..<bound`. The bias of the multiplication is below 2⁻³² for every bound in use.
    @usableFromInline
    package mutating func below(_ bound: UInt64) -> UInt64 {
        precondition(bound > 0, "a draw needs at least one possibility")
        return next().multipliedFullWidth(by: bound).high
    }

    /// Uniform in the open interval (0, 1): safe to take the logarithm of.
    package mutating func unit() -> Double {
        (Double(next() >> 12) + 0.5) * 0x1p-52
    }

    /// True in `share` of the draws. Certain answers draw nothing.
    package mutating func hits(_ share: Share) -> Bool {
        if share.partsPerBillion == 0 { return false }
        if share == .all { return true }
        return below(Share.whole) < UInt64(share.partsPerBillion)
    }

    /// One of the items, each as likely as its weight says. The weights must sum to more than zero.
    ///
    /// Drawn for every purchase: specialised for its callers.
    @inlinable
    package mutating func choose<Item>(_ items: [Item], weight: (Item) -> Int64) -> Item {
        var total: Int64 = 0
        for item in items { total += weight(item) }
        precondition(total > 0, "weights must sum to more than zero")
        var rest = Int64(below(UInt64(total)))
        for item in items {
            rest -= weight(item)
            if rest < 0 { return item }
        }
        preconditionFailure("a draw below the sum of the weights falls on one of them")
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// A part of a whole as an exact ratio: decisions never depend on rounding.
package struct Share: Sendable, Hashable {
    package static let whole: UInt64 = 1_000_000_000
    package static let none = Share(partsPerBillion: 0)
    package static let all = Share(partsPerBillion: Int(whole))

    package let partsPerBillion: Int

    package init(partsPerBillion: Int) {
        precondition((0...Int(Self.whole)).contains(partsPerBillion), "\(partsPerBillion) parts per billion")
        self.partsPerBillion = partsPerBillion
    }

    package static func percent(_ value: Double) -> Share {
        Share(partsPerBillion: Int((value * 10_000_000).rounded()))
    }

    package var fraction: Double { Double(partsPerBillion) / Double(Self.whole) }
}
