// The offers of one subscription in a StoreKit configuration file.
// Owned by one parse.

import Foundation
import Simulation
import Text

extension CatalogFileReader {
    /// StoreKit shows one introductory offer; files of version 5.0 may list several, and the first counts.
    mutating func introductoryOffer(_ subscription: CatalogFileObject) -> CatalogOffer? {
        let single = notes.object(subscription, "introductoryOffer").map { offer($0) } ?? nil
        let listed = notes.objects(subscription, "introductoryOffers").map { offer($0) }
        return single ?? listed.first ?? nil
    }

    /// Those that apps name by an identifier. Of two with one identifier, as Xcode lets files have them, the first is bought.
    ///
    /// - Parameter key: `adHocOffers`, the promotional ones, or `winbackOffers`.
    mutating func namedOffers(_ key: String, _ subscription: CatalogFileObject) -> [CatalogOffer] {
        let hint = "give every offer an identifier such as \"com.example.half\""
        var offers: [CatalogOffer] = []
        for object in notes.objects(subscription, key) {
            let identifier = notes.requiredString(object, "offerID", hint)
            if let offer = offer(object, identifier: identifier) { offers.append(offer) }
        }
        return offers
    }

    mutating func codeOffers(_ subscription: CatalogFileObject) -> [CatalogOffer] {
        var offers: [CatalogOffer] = []
        for object in notes.objects(subscription, "codeOffers") {
            let identifier = notes.string(object, "offerID")
            let eligibility = eligibility(object)
            if let offer = offer(object, identifier: identifier, eligibility: eligibility) { offers.append(offer) }
        }
        return offers
    }

    private mutating func offer(
        _ object: CatalogFileObject, identifier: String? = nil, eligibility: [CatalogOffer.Eligibility] = []
    ) -> CatalogOffer? {
        let mode = paymentMode(object)
        let price = mode == .payAsYouGo || mode == .payUpFront ? price(object) : 0
        let period = period(object, "subscriptionPeriod")
        let count = notes.integer(object, "numberOfPeriods", in: 1...1_000, required: false)
        let referenceName = notes.string(object, "referenceName")
        guard let mode, let price, let period else { return nil }
        return CatalogOffer(
            identifier: identifier, referenceName: referenceName, paymentMode: mode, price: price, period: period,
            numberOfPeriods: count ?? 1, eligibility: eligibility)
    }

    private mutating func paymentMode(_ offer: CatalogFileObject) -> CatalogOffer.PaymentMode? {
        let hint = "use free, payAsYouGo or payUpFront"
        switch notes.requiredString(offer, "paymentMode", hint) {
        case "free": return .freeTrial
        case "payAsYouGo": return .payAsYouGo
        case "payUpFront": return .payUpFront
        case let mode?:
            notes.note(offer.place("paymentMode"), "\(quoted(mode)) is not a payment mode", hint)
            return nil
        case nil: return nil
        }
    }

    private mutating func eligibility(_ offer: CatalogFileObject) -> [CatalogOffer.Eligibility] {
        let hint = "use \(CatalogOffer.Eligibility.allCases.map(\.rawValue).joined(separator: ", "))"
        var found: [CatalogOffer.Eligibility] = []
        for (place, name) in notes.strings(offer, "eligibility") {
            guard let eligibility = CatalogOffer.Eligibility(rawValue: name) else {
                notes.note(place, "\(quoted(name)) is not an offer eligibility", hint)
                continue
            }
            if !found.contains(eligibility) { found.append(eligibility) }
        }
        return found
    }
}
