// The receipt as a file (the contract's §5): Apple's attributes, signed.

import Foundation
import Testing

@testable import ClientKit
@testable import Simulation

@Suite struct ReceiptCodingTests {
    private let bench = VirtualBench()

    private static func purchase(_ number: Int, expires: Instant? = nil, cancelled: Instant? = nil) -> Receipt.Purchase
    {
        Receipt.Purchase(
            quantity: number, productIdentifier: "com.example.größe\(number)", transactionIdentifier: "\(number)",
            originalTransactionIdentifier: "1", purchaseDate: .start + .milliseconds(1_500),
            originalPurchaseDate: .start, expiresDate: expires, cancellationDate: cancelled, isTrialPeriod: number == 2,
            isInIntroductoryOfferPeriod: number == 3, promotionalOfferIdentifier: number == 3 ? "summer" : nil)
    }

    private var receipt: AppReceipt {
        let purchases = [
            Self.purchase(1), Self.purchase(2, expires: .start + .milliseconds(2_001)),
            Self.purchase(300, cancelled: .start + .seconds(9)), Self.purchase(3, expires: .start + .seconds(3)),
        ]
        return AppReceipt(Receipt(asOf: .start + .seconds(7), purchases: purchases), of: bench.device)
    }

    // To the second; what expires does not do so before its time.
    @Test func fileSaysWhatTheReceiptSays() throws {
        let receipt = receipt
        let read = try AppReceipt(contentsOf: receipt.encoded())
        #expect(read.bundleIdentifier == AppIdentity.standardBundleIdentifier && read.environment == "Production")
        #expect(read.applicationVersion == "1" && read.originalApplicationVersion == "1")
        #expect(read.creationDate == receipt.creationDate && read.inApp.count == 4)
        for purchase in receipt.inApp {
            let found = try #require(read.inApp.first { $0.transactionIdentifier == purchase.transactionIdentifier })
            func seconds(_ date: Date?, up: Bool = false) -> Double? {
                date?.timeIntervalSince1970.rounded(up ? .up : .down)
            }
            #expect(found.quantity == purchase.quantity && found.productIdentifier == purchase.productIdentifier)
            #expect(found.originalTransactionIdentifier == "1" && found.isTrialPeriod == purchase.isTrialPeriod)
            #expect(found.isInIntroOfferPeriod == purchase.isInIntroOfferPeriod)
            #expect(found.promotionalOfferIdentifier == purchase.promotionalOfferIdentifier)
            #expect(found.purchaseDate.timeIntervalSince1970 == seconds(purchase.purchaseDate))
            #expect(found.originalPurchaseDate == purchase.originalPurchaseDate)
            #expect(found.expiresDate?.timeIntervalSince1970 == seconds(purchase.expiresDate, up: true))
            #expect(found.cancellationDate == purchase.cancellationDate)
        }
    }

    @Test func sameReceiptHasTheSameBytes() throws {
        #expect(receipt.encoded() == receipt.encoded())
        #expect(try AppReceipt(contentsOf: receipt.encoded()).encoded() == receipt.encoded())
    }

    // As apps check that a receipt is of their device: the hash of identifier, opaque value and bundle identifier.
    @Test func hashNamesTheDevice() throws {
        let attributes = try ReceiptAttributes(SignedData.genuineContent(of: Array(receipt.encoded())))
        let vendor = withUnsafeBytes(of: bench.device.identifierForVendor.uuid) { Array($0) }
        let opaque = try #require(attributes.bytes(.opaqueValue))
        let bundle = try #require(attributes.bytes(.bundleIdentifier))
        #expect(Array(bundle) == [0x0C, UInt8(bundle.count - 2)] + Array(AppIdentity.standardBundleIdentifier.utf8))
        #expect(attributes.bytes(.hash).map { Array($0) } == StoreSigner.shared?.sha1(vendor + opaque + bundle))
    }

    @Test func alteredReceiptIsNotGenuine() {
        let file = Array(receipt.encoded())
        #expect((try? SignedData.genuineContent(of: file)) != nil)
        for place in file.indices {
            var altered = file
            altered[place] ^= 0x01
            #expect((try? SignedData.genuineContent(of: altered)) == nil, "byte \(place)")
        }
    }

    // Whatever the bytes are: an error, no trap.
    @Test func unreadableReceiptThrows() throws {
        let file = receipt.encoded()
        for count in 0..<file.count {
            #expect(throws: AppReceipt.Unreadable.self) { try AppReceipt(contentsOf: file.prefix(count)) }
        }
        for place in file.indices {
            for bit in 0..<8 {
                var altered = file
                altered[place] ^= 1 << bit
                do { _ = try AppReceipt(contentsOf: altered) } catch is AppReceipt.Unreadable {}
            }
        }
        // A place in the file, however deep it stands: behind the number of an attribute that counts goods.
        let quantity = try #require(file.range(of: Data([0x02, 0x02, 0x06, 0xA5]), options: .backwards))
        var altered = file
        altered[quantity.upperBound] = 0x04
        #expect(throws: AppReceipt.Unreadable.malformed(offset: quantity.upperBound)) {
            try AppReceipt(contentsOf: altered)
        }
        var broken = ReceiptAttributes()
        broken.add(.creationDate, "yesterday")
        #expect(throws: AppReceipt.Unreadable.missing(attribute: 12)) {
            try AppReceipt(contentsOf: Data(SignedData.signed(broken.encoded)))
        }
        let empty = Data(SignedData.signed(ReceiptAttributes().encoded))
        #expect(throws: AppReceipt.Unreadable.missing(attribute: 12)) { try AppReceipt(contentsOf: empty) }
        #expect(throws: AppReceipt.Unreadable.malformed(offset: 0)) { try AppReceipt(contentsOf: Data("{}".utf8)) }
    }
}
