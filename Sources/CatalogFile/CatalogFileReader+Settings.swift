// The settings of a StoreKit configuration file, and its key for offers.
// Owned by one parse.

import Foundation
import Simulation
import Text

extension CatalogFileReader {
    struct FileSettings {
        var storefront = StorefrontValue.unitedStates
        var locale = "en_US"
        var settings = CatalogSettings()
    }

    /// Every setting may be missing; those that the simulation does not know are passed over.
    mutating func settings(_ root: CatalogFileObject) -> FileSettings {
        var file = FileSettings()
        guard let object = notes.object(root, "settings") else { return file }
        file.storefront = storefront(object) ?? .unitedStates
        file.locale = notes.string(object, "_locale") ?? "en_US"
        if file.locale.isEmpty {
            notes.note(object.place("_locale"), "empty", "name a language and region, such as \"en_US\"")
        }
        func flag(_ key: String) -> Bool { notes.bool(object, key) ?? false }
        file.settings.asksToBuy = flag("_askToBuyEnabled")
        file.settings.hasBillingGracePeriod = flag("_billingGracePeriodEnabled")
        file.settings.interruptsPurchases = flag("_billingIssuesEnabled")
        file.settings.disablesDialogs = flag("_disableDialogs")
        file.settings.failsTransactions = flag("_failTransactionsEnabled")
        file.settings.failsRenewals = flag("_renewalBillingIssuesEnabled")
        file.settings.timeRate = timeRate(object)
        file.settings.errors = simulatedErrors(object)
        return file
    }

    private mutating func storefront(_ settings: CatalogFileObject) -> StorefrontValue? {
        guard let code = notes.string(settings, "_storefront") else { return nil }
        if let known = StorefrontValue(countryCode: code) { return known }
        notes.note(
            settings.place("_storefront"), "\(quoted(code)) is not a storefront",
            "use one of \(StorefrontValue.knownCountryCodes.joined(separator: " "))")
        return nil
    }

    private mutating func timeRate(_ settings: CatalogFileObject) -> SubscriptionTimeRate {
        let key = "_timeRate"
        guard let number = notes.integer(settings, key, in: 0...Int(Int32.max), required: false) else {
            return .realTime
        }
        if let rate = SubscriptionTimeRate(number: number) { return rate }
        notes.note(
            settings.place(key), "\(number) is not a time rate",
            "use one of \(SubscriptionTimeRate.knownNumbers.map(String.init).joined(separator: " "))")
        return .realTime
    }

    private mutating func simulatedErrors(_ settings: CatalogFileObject) -> [CatalogSettings.SimulatedError] {
        var errors: [CatalogSettings.SimulatedError] = []
        for object in notes.objects(settings, "_storeKitErrors") {
            let call = notes.requiredString(object, "name", "name the call that fails, such as \"Load Products\"")
            let isEnabled = notes.bool(object, "enabled") ?? false
            let current = notes.object(object, "current")
            let index = current.flatMap { notes.integer($0, "index", in: 0...1_000, required: false) }
            if let call, isEnabled { errors.append(CatalogSettings.SimulatedError(call: call, index: index)) }
        }
        return errors
    }

    mutating func offerKey(_ root: CatalogFileObject) -> OfferKey? {
        guard let pair = notes.object(root, "subscriptionOffersKeyPair") else { return nil }
        let identifier = notes.requiredString(pair, "id", "write the key's identifier, as the signatures contain it")
        let hint = "write the PKCS#8 key in base64, or save a new one from Xcode"
        guard let text = notes.requiredString(pair, "privateKey", hint) else { return nil }
        guard let bytes = Data(base64Encoded: text) else {
            // The key itself has no business in a message.
            notes.note(pair.place("privateKey"), "not base64", hint)
            return nil
        }
        return identifier.map { OfferKey(identifier: $0, privateKey: Array(bytes)) }
    }
}
