// Reduced prices for a subscription's first periods, and the key that signs them.
// Values.

package import Foundation

/// An introductory, promotional, code or win-back offer.
package struct CatalogOffer: Sendable, Equatable {
    package enum PaymentMode: String, Sendable, CaseIterable {
        case freeTrial
        /// The price is paid for each of the periods.
        case payAsYouGo
        /// The price is paid once, for all of them.
        case payUpFront
    }

    /// Whom a code offer is for.
    package enum Eligibility: String, Sendable, CaseIterable {
        case new
        case existing
        case expired
    }

    /// What the app names the offer by. Introductory offers have none, code offers only if the file gives one.
    package let identifier: String?
    package let referenceName: String?
    package let paymentMode: PaymentMode
    /// Zero in a free trial.
    package let price: Decimal
    package let period: CalendarPeriod
    package let numberOfPeriods: Int
    /// Empty but in code offers; in the order of the file, each once.
    package let eligibility: [Eligibility]

    package init(
        identifier: String? = nil, referenceName: String? = nil, paymentMode: PaymentMode, price: Decimal,
        period: CalendarPeriod, numberOfPeriods: Int = 1, eligibility: [Eligibility] = []
    ) {
        precondition(numberOfPeriods > 0, "an offer of \(numberOfPeriods) periods")
        precondition(paymentMode != .freeTrial || price == 0, "a free trial for \(price)")
        self.identifier = identifier
        self.referenceName = referenceName
        self.paymentMode = paymentMode
        self.price = price
        self.period = period
        self.numberOfPeriods = numberOfPeriods
        self.eligibility = eligibility
    }
}

extension Catalog {
    /// What a purchase or a renewal was sold for: at the offer's price, if one applied.
    package func amount(of transaction: StoreTransaction) -> Decimal {
        let price = offer(of: transaction)?.price ?? self[transaction.product].price
        return transaction.isCharged ? price * Decimal(transaction.quantity) : 0
    }

    /// The terms of the offer that applied.
    package func offer(of transaction: StoreTransaction) -> CatalogOffer? {
        transaction.offer.flatMap { offer($0, of: transaction.product) }
    }

    /// The terms of a product's offer.
    package func offer(_ applied: AppliedOffer, of product: ProductIndex) -> CatalogOffer? {
        guard let terms = self[product].subscription else { return nil }
        return switch applied {
        case .introductory: terms.introductoryOffer
        case .promotional(let identifier): terms.promotionalOffers.first { $0.identifier == identifier }
        case .code(let name): terms.codeOffers.first { $0.referenceName == name }
        case .winBack(let identifier): terms.winBackOffers.first { $0.identifier == identifier }
        }
    }
}

/// The key pair of the file that promotional offers are signed with (R60).
package struct OfferKey: Sendable, Equatable {
    package let identifier: String
    /// PKCS#8; not validated to be a P-256 key.
    package let privateKey: [UInt8]

    package init(identifier: String, privateKey: [UInt8]) {
        self.identifier = identifier
        self.privateKey = privateKey
    }
}
