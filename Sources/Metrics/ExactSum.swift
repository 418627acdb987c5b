// Sums that stay exact however much is measured.
// Plain values; any thread.

/// A sum of nanoseconds, bytes or whatever else is counted in whole numbers.
///
/// In files it is a number where 64 bits hold it, and else its decimal digits as a text: what reads numbers as 64 bits
/// loses nothing.
package struct ExactSum: Sendable, Hashable, Codable {
    /// What a file may hold at most. So many files that their sum leaves 128 bits have no place on any disk.
    private static let limit: Int128 = 1 << 100

    package var value: Int128

    package init(_ value: some BinaryInteger) { self.value = Int128(value) }

    package init(from decoder: any Decoder) throws {
        let number = (try? Int64(from: decoder)).map { Int128($0) }
        let value = try number ?? Int128(String(from: decoder))
        self.value = try decoder.sound(value.flatMap { Self.isInFiles($0) ? $0 : nil })
    }

    package func encode(to encoder: any Encoder) throws {
        if let number = Int64(exactly: value) { return try number.encode(to: encoder) }
        try "\(value)".encode(to: encoder)
    }

    private static func isInFiles(_ value: Int128) -> Bool { value.magnitude <= limit.magnitude }
}

extension Decoder {
    /// The value that was read; an error where it is none that a run writes.
    func sound<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "no \(Value.self)"))
        }
        return value
    }
}

/// A level that is so much for each of so many: bytes of purchases, waits in nanoseconds.
package struct Quotient: Sendable, Hashable, Codable {
    package var sum: ExactSum
    /// Never below zero; a level that is no quotient has none.
    package var weight: ExactSum

    package init(_ sum: ExactSum = ExactSum(0), over weight: ExactSum = ExactSum(0)) {
        self.sum = sum
        self.weight = weight
    }

    /// Nil where there is nothing to divide by.
    package var value: Double? { weight.value > 0 ? Double(sum.value) / Double(weight.value) : nil }
}

extension Int {
    /// Adds up to the largest number, which says that the sum is not known: in any order of summands the same.
    @inline(__always)
    mutating func add(_ other: Int) {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        self = isTooMuch ? .max : sum
    }
}
