// How a receipt is written to its file and read from it: Apple's attributes, signed by the simulated App Store.
// Values; any thread.

public import Foundation
import Simulation

extension AppReceipt {
    /// The receipt's file, as `Bundle.main.appStoreReceiptURL` has it: PKCS#7 signed data with Apple's attributes in ASN.1.
    /// Dates are to the second. The same receipt has the same bytes.
    ///
    /// Signed with the certificates that `stampede certificates` writes. The hash that names the device is of
    /// `UIDevice.identifierForVendor`.
    public func encoded() -> Data {
        switch source {
        case .file(let data): data
        case .device(let device, let vendor, let instant):
            Data(SignedData.signed(attributes(device, vendor, instant).encoded))
        }
    }

    private func attributes(_ device: SigningDevice, _ vendor: UUID, _ instant: Instant) -> ReceiptAttributes {
        let opaqueValue = withUnsafeBytes(of: device.nonce(0, at: instant).uuid) { Array($0) }
        let named =
            withUnsafeBytes(of: vendor.uuid) { Array($0) } + opaqueValue + DER.text(.utf8String, bundleIdentifier)
        var attributes = ReceiptAttributes()
        attributes.add(.environment, environment)
        attributes.add(.bundleIdentifier, bundleIdentifier)
        attributes.add(.applicationVersion, applicationVersion)
        attributes.add(.opaqueValue, bytes: opaqueValue)
        attributes.add(.hash, bytes: StoreSigner.shared?.sha1(named) ?? [UInt8](repeating: 0, count: 20))
        attributes.add(.creationDate, creationDate)
        attributes.add(.originalApplicationVersion, originalApplicationVersion)
        for purchase in inApp { attributes.add(.purchase, purchase.attributes) }
        return attributes
    }

    /// Reads what `encoded()` wrote. Throws `Unreadable` if `data` is anything else. The signature is not checked.
    public init(contentsOf data: Data) throws {
        CurrentProcess.found?.device.noteReceiptFile()
        do {
            let attributes = try ReceiptAttributes(SignedData.content(of: Array(data)))
            guard let created = try attributes.optional(.creationDate) else { throw Unreadable.missing(.creationDate) }
            environment = try attributes.required(.environment)
            bundleIdentifier = try attributes.required(.bundleIdentifier)
            applicationVersion = try attributes.required(.applicationVersion)
            originalApplicationVersion = try attributes.required(.originalApplicationVersion)
            creationDate = created
            inApp = try attributes.all(.purchase).map { try Purchase(ReceiptAttributes($0)) }
            source = .file(data)
        } catch let mismatch as DERReader.Mismatch {
            throw Unreadable.malformed(offset: mismatch.offset)
        }
    }
}

extension AppReceipt.Purchase {
    fileprivate var attributes: ReceiptAttributes {
        var attributes = ReceiptAttributes()
        attributes.add(.quantity, quantity)
        attributes.add(.productIdentifier, productIdentifier)
        attributes.add(.transactionIdentifier, transactionIdentifier)
        attributes.add(.purchaseDate, purchaseDate)
        attributes.add(.originalTransactionIdentifier, originalTransactionIdentifier)
        attributes.add(.originalPurchaseDate, originalPurchaseDate)
        // Not before it ends: the file has no smaller parts than seconds.
        attributes.add(
            .expiresDate, expiresDate.map { Date(timeIntervalSince1970: $0.timeIntervalSince1970.rounded(.up)) })
        attributes.add(.cancellationDate, cancellationDate)
        attributes.add(.isTrialPeriod, isTrialPeriod ? 1 : 0)
        attributes.add(.isInIntroductoryOfferPeriod, isInIntroOfferPeriod ? 1 : 0)
        // As `Transaction.webOrderLineItemID` has it.
        if expiresDate != nil { attributes.add(.webOrderLineItem, Int(transactionIdentifier) ?? 0) }
        if let promotionalOfferIdentifier { attributes.add(.promotionalOfferIdentifier, promotionalOfferIdentifier) }
        return attributes
    }

    fileprivate init(_ attributes: ReceiptAttributes) throws {
        guard let quantity = attributes.number(.quantity) else { throw AppReceipt.Unreadable.missing(.quantity) }
        guard let bought = try attributes.optional(.purchaseDate) else {
            throw AppReceipt.Unreadable.missing(.purchaseDate)
        }
        self.quantity = quantity
        productIdentifier = try attributes.required(.productIdentifier)
        transactionIdentifier = try attributes.required(.transactionIdentifier)
        originalTransactionIdentifier = try attributes.required(.originalTransactionIdentifier)
        purchaseDate = bought
        originalPurchaseDate = try attributes.optional(.originalPurchaseDate) ?? bought
        expiresDate = try attributes.optional(.expiresDate)
        cancellationDate = try attributes.optional(.cancellationDate)
        isTrialPeriod = attributes.number(.isTrialPeriod) == 1
        isInIntroOfferPeriod = attributes.number(.isInIntroductoryOfferPeriod) == 1
        promotionalOfferIdentifier = attributes.text(.promotionalOfferIdentifier)
    }
}

extension ReceiptAttributes {
    fileprivate func required(_ kind: Kind) throws(AppReceipt.Unreadable) -> String {
        guard let text = text(kind) else { throw .missing(kind) }
        return text
    }

    /// Nil: there is no such attribute, or it is empty.
    fileprivate func optional(_ kind: Kind) throws(AppReceipt.Unreadable) -> Date? {
        if bytes(kind) == nil || text(kind) == "" { return nil }
        guard let date = date(kind) else { throw .missing(kind) }
        return date
    }
}

extension AppReceipt.Unreadable {
    fileprivate static func missing(_ kind: ReceiptAttributes.Kind) -> Self { .missing(attribute: kind.rawValue) }
}
