// From the document of a StoreKit configuration file to a catalog.
// Owned by one parse. Collects mistakes; what it returns counts only when there are none.

import Foundation
import Simulation
import Text

/// Reads the parts of a configuration that the simulation uses.
struct CatalogFileReader {
    static let majorMax = 5

    var notes: ProblemCollector
    private var products: [CatalogProduct] = []
    private var pathByIdentifier: [String: String] = [:]
    private var pathByGroup: [String: String] = [:]

    /// The sections of a file, and which product types belong into each.
    private enum Section {
        case products
        case nonRenewing
        case group(String, place: Int)

        var types: [String] {
            switch self {
            // Version 1.0 had non-renewing subscriptions among the other products.
            case .products: ["Consumable", "NonConsumable", "NonRenewingSubscription"]
            case .nonRenewing: ["NonRenewingSubscription"]
            case .group: ["RecurringSubscription"]
            }
        }
    }

    private static let kinds: [String: ProductKind] = [
        "Consumable": .consumable,
        "NonConsumable": .nonConsumable,
        "NonRenewingSubscription": .nonRenewingSubscription,
        "RecurringSubscription": .autoRenewableSubscription,
    ]

    init(file: String, source: SourceText) { notes = ProblemCollector(file: file, source: source) }

    mutating func catalog(_ root: CatalogFileObject) -> Catalog {
        // A later format may mean anything: no further complaints about it.
        guard checkVersion(root) else { return .empty }
        let file = settings(root)
        let key = offerKey(root)
        for object in notes.objects(root, "products") { addProduct(object, section: .products) }
        for object in notes.objects(root, "nonRenewingSubscriptions") { addProduct(object, section: .nonRenewing) }
        for group in notes.objects(root, "subscriptionGroups") { addGroup(group) }
        guard !notes.hasProblems else { return .empty }
        return Catalog(
            products: products, storefront: file.storefront, locale: file.locale, settings: file.settings,
            offerKey: key, source: String(notes.source.scalars))
    }

    /// False when the rest of the file cannot be judged.
    private mutating func checkVersion(_ root: CatalogFileObject) -> Bool {
        guard root["version"] != nil else {
            notes.note(
                root.place("version"), "missing",
                "add {\"major\": 4, \"minor\": 0}, or export the file from Xcode again")
            return true
        }
        guard let version = notes.object(root, "version") else { return true }
        guard let major = notes.integer(version, "major", in: 1...Int(Int32.max), required: true) else { return true }
        _ = notes.integer(version, "minor", in: 0...Int(Int32.max), required: false)
        if major > Self.majorMax {
            notes.note(
                version.place("major"), "version \(major) is newer than this program knows",
                "save the file in format \(Self.majorMax).0 or older, or update Stampede")
            return false
        }
        return true
    }

    private mutating func addGroup(_ group: CatalogFileObject) {
        let hint = "give the group its own identifier"
        let identifier = notes.requiredString(group, "id", hint)
        if let identifier {
            if let other = pathByGroup[identifier] {
                notes.note(
                    group.place("id"), "\(quoted(identifier)) is already the identifier of \(other)", hint)
            } else {
                pathByGroup[identifier] = group.path
            }
        }
        for (place, subscription) in notes.objects(group, "subscriptions").enumerated() {
            if let identifier, let own = notes.string(subscription, "subscriptionGroupID"), own != identifier {
                notes.note(
                    subscription.place("subscriptionGroupID"),
                    "\(quoted(own)) is not the group that contains it",
                    "write \(quoted(identifier)), or move it to its group")
            }
            addProduct(subscription, section: .group(identifier ?? "", place: place))
        }
    }

    private mutating func addProduct(_ object: CatalogFileObject, section: Section) {
        let kind = kind(object, section: section)
        let identifier = identifier(object)
        let price = price(object)
        let isFamilyShareable = notes.bool(object, "familyShareable") ?? false
        let referenceName = notes.string(object, "referenceName")
        let localizations = localizations(object)
        var subscription: CatalogProduct.Subscription?
        if case .group(let group, let place) = section {
            subscription = self.subscription(object, group: group, place: place)
        }
        guard let kind, let identifier, let price, (kind == .autoRenewableSubscription) == (subscription != nil) else {
            return
        }
        products.append(
            CatalogProduct(
                index: products.count, identifier: identifier, kind: kind, referenceName: referenceName ?? identifier,
                price: price, isFamilyShareable: isFamilyShareable, localizations: localizations,
                subscription: subscription))
    }

    private mutating func kind(_ object: CatalogFileObject, section: Section) -> ProductKind? {
        let hint = "use \(section.types.joined(separator: ", "))"
        guard let type = notes.requiredString(object, "type", hint) else { return nil }
        guard let kind = Self.kinds[type] else {
            notes.note(object.place("type"), "\(quoted(type)) is not a product type", hint)
            return nil
        }
        guard section.types.contains(type) else {
            notes.note(object.place("type"), "a \(type) does not belong here", hint)
            return nil
        }
        return kind
    }

    private mutating func identifier(_ object: CatalogFileObject) -> String? {
        let hint = "give every product an identifier such as \"com.example.coins\""
        guard let identifier = notes.requiredString(object, "productID", hint) else { return nil }
        if let other = pathByIdentifier[identifier] {
            notes.note(
                object.place("productID"), "\(quoted(identifier)) is already the identifier of \(other)",
                hint)
            return nil
        }
        pathByIdentifier[identifier] = object.path
        return identifier
    }

    private mutating func localizations(_ object: CatalogFileObject) -> [CatalogProduct.Localization] {
        var localizations: [CatalogProduct.Localization] = []
        for text in notes.objects(object, "localizations") {
            let locale = notes.requiredString(text, "locale", "name a language and region, such as \"en_US\"")
            let displayName = notes.string(text, "displayName") ?? ""
            let description = notes.string(text, "description") ?? ""
            guard let locale else { continue }
            localizations.append(
                CatalogProduct.Localization(locale: locale, displayName: displayName, description: description))
        }
        return localizations
    }

    /// - Parameter place: in its group, whose highest level comes first where a file names no levels.
    private mutating func subscription(
        _ object: CatalogFileObject, group: String, place: Int
    ) -> CatalogProduct.Subscription? {
        let level = notes.integer(object, "groupNumber", in: 1...1_000, required: false) ?? place + 1
        let period = period(object, "recurringSubscriptionPeriod")
        let introductory = introductoryOffer(object)
        let promotional = namedOffers("adHocOffers", object)
        let codes = codeOffers(object)
        let winBack = namedOffers("winbackOffers", object)
        guard let period else { return nil }
        return CatalogProduct.Subscription(
            groupIdentifier: group, level: level, period: period, introductoryOffer: introductory,
            promotionalOffers: promotional, codeOffers: codes, winBackOffers: winBack)
    }

    mutating func price(_ object: CatalogFileObject) -> Decimal? {
        let key = "displayPrice"
        let hint = "write a price in quotes, such as \"0.99\""
        guard let text = notes.requiredString(object, key, hint) else { return nil }
        switch CatalogPrice(text) {
        case .valid(let price): return price
        case .invalid(let message, let hint):
            notes.note(object.place(key), message, hint)
            return nil
        }
    }

    mutating func period(_ object: CatalogFileObject, _ key: String) -> CalendarPeriod? {
        let hint = "write an ISO 8601 period of one unit, such as \"P1M\", \"P1W\" or \"P3D\""
        guard let text = notes.requiredString(object, key, hint) else { return nil }
        guard let period = CalendarPeriod(iso8601: text) else {
            notes.note(object.place(key), "\(quoted(text)) is not a period", hint)
            return nil
        }
        return period
    }
}
