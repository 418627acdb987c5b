// The receipt beside the app: signed data whose content are Apple's attributes, in ASN.1.

import Foundation

struct ShopReceipt {
    struct Purchase {
        let product: String
        let identifier: String
        let expires: Date?
        let cancelled: Date?

        var isValid: Bool { cancelled == nil && expires.map { $0 > Date() } ?? true }

        init?(_ attributes: [ASN1]) {
            func text(_ number: Int) -> String? {
                let value = attributes.lazy.compactMap(\.attribute).first { $0.number == number }?.value.parts.first
                return value.map { String(decoding: $0.content, as: UTF8.self) }
            }
            guard let product = text(1702), let identifier = text(1703) else { return nil }
            self.product = product
            self.identifier = identifier
            expires = text(1708).flatMap { try? Date($0, strategy: .iso8601) }
            cancelled = text(1712).flatMap { try? Date($0, strategy: .iso8601) }
        }
    }

    let purchases: [Purchase]

    static func read() -> ShopReceipt? {
        guard let url = Bundle.main.appStoreReceiptURL, let data = try? Data(contentsOf: url) else { return nil }
        let file = ASN1(content: Array(data)[...])
        // The type of the file and its body; there version, digests, content; there its type and itself.
        guard let content = file.parts.first?.part(1)?.parts.first?.part(2)?.part(1)?.parts.first else { return nil }
        let attributes = content.parts.first?.parts.compactMap(\.attribute) ?? []
        return ShopReceipt(
            purchases: attributes.filter { $0.number == 17 }.compactMap { Purchase($0.value.parts.first?.parts ?? []) })
    }
}

/// A value of ASN.1, or a file of them.
struct ASN1 {
    let content: ArraySlice<UInt8>

    /// The values that it is made of; none if it is not made of any.
    var parts: [ASN1] {
        var parts: [ASN1] = []
        var place = content.startIndex
        while place + 1 < content.endIndex {
            var length = Int(content[place + 1])
            place += 2
            if length >= 0x80 {
                let digits = length & 0x7F
                guard digits <= 4, place + digits <= content.endIndex else { return [] }
                length = content[place..<place + digits].reduce(0) { $0 << 8 | Int($1) }
                place += digits
            }
            guard place + length <= content.endIndex else { return [] }
            parts.append(ASN1(content: content[place..<place + length]))
            place += length
        }
        return parts
    }

    func part(_ place: Int) -> ASN1? { parts.count > place ? parts[place] : nil }

    /// Of a receipt: a number, a version and a value.
    var attribute: (number: Int, value: ASN1)? {
        let parts = parts
        return parts.count == 3 ? (parts[0].content.reduce(0) { $0 << 8 | Int($1) }, parts[2]) : nil
    }
}
