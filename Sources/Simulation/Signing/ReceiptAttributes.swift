// The content of a receipt: attributes, each a number and a value (the contract's §5).
// Values; any thread.

package import Foundation

/// Attributes in the order in which they were added or stand in the file. A number may occur several times.
package struct ReceiptAttributes {
    /// By Apple's numbers.
    package enum Kind: Int {
        case environment = 0
        case bundleIdentifier = 2
        case applicationVersion = 3
        case opaqueValue = 4
        case hash = 5
        case creationDate = 12
        case purchase = 17
        case originalApplicationVersion = 19

        case quantity = 1_701
        case productIdentifier = 1_702
        case transactionIdentifier = 1_703
        case purchaseDate = 1_704
        case originalTransactionIdentifier = 1_705
        case originalPurchaseDate = 1_706
        case expiresDate = 1_708
        case webOrderLineItem = 1_711
        case cancellationDate = 1_712
        case isTrialPeriod = 1_713
        case isInIntroductoryOfferPeriod = 1_719
        case promotionalOfferIdentifier = 1_721
    }

    private var values: [(kind: Int, value: ArraySlice<UInt8>)] = []

    package init() {}

    // MARK: Writing

    package mutating func add(_ kind: Kind, bytes: [UInt8]) { values.append((kind.rawValue, bytes[...])) }
    package mutating func add(_ kind: Kind, _ text: String) { add(kind, bytes: DER.text(.utf8String, text)) }
    package mutating func add(_ kind: Kind, _ number: Int) { add(kind, bytes: DER.integer(UInt64(max(0, number)))) }
    package mutating func add(_ kind: Kind, _ attributes: ReceiptAttributes) { add(kind, bytes: attributes.encoded) }

    /// To the second, as Apple writes it; no date is an empty text.
    package mutating func add(_ kind: Kind, _ date: Date?) {
        add(kind, bytes: DER.text(.ia5String, date.map { $0.formatted(.iso8601) } ?? ""))
    }

    package var encoded: [UInt8] {
        DER.set(
            of: values.map {
                DER.value(
                    .sequence, [DER.integer(UInt64($0.kind)), DER.integer(1), DER.value(.octetString, Array($0.value))])
            })
    }

    // MARK: Reading

    package init(_ bytes: ArraySlice<UInt8>) throws(DERReader.Mismatch) {
        var members = DERReader(try DERReader.only(.set, of: bytes))
        while !members.isAtEnd {
            var member = DERReader(try members.next(.sequence))
            let kind = try member.integer()
            _ = try member.integer()
            values.append((kind, try member.next(.octetString)))
        }
    }

    /// The values of a kind, as they are written.
    package func all(_ kind: Kind) -> [ArraySlice<UInt8>] { values.filter { $0.kind == kind.rawValue }.map(\.value) }

    package func bytes(_ kind: Kind) -> ArraySlice<UInt8>? { all(kind).first }

    /// Nil: there is none, or it is no text.
    package func text(_ kind: Kind) -> String? {
        guard let bytes = bytes(kind) else { return nil }
        let content =
            (try? DERReader.only(.utf8String, of: bytes)) ?? (try? DERReader.only(.ia5String, of: bytes))
        return content.flatMap { String(validating: $0, as: UTF8.self) }
    }

    package func number(_ kind: Kind) -> Int? {
        guard let bytes = bytes(kind) else { return nil }
        var reader = DERReader(bytes)
        return try? reader.integer()
    }

    package func date(_ kind: Kind) -> Date? { text(kind).flatMap { try? Date($0, strategy: .iso8601) } }
}
