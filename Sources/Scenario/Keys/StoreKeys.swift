// `store`: what it sells, what it can do at a time, and how it fails.
// Constants; any thread.

import Simulation
import Text

/// A store while its section is read.
struct StoreDraft: Sendable {
    /// The catalog's path, as written; nil until it has been loaded.
    var catalogPath: String?
    var conditions = StoreConditions()
    var behaviour = StoreBehaviour()
}

extension KeySection<StoreDraft> {
    static let store = KeySection(
        "store", StoreDraft(),
        [
            // First: products are named all over the file, and its settings hold unless the scenario says otherwise.
            .custom(
                KeyFacts(
                    "catalog", .scalar(SchemaScalar(kinds: [.string])), "path",
                    "An Xcode StoreKit configuration file, relative to the scenario.", required: true,
                    example: "Shop.storekit")
            ) { reader, node, path, store in
                store.catalogPath = reader.loadCatalog(node, path)
                if let settings = reader.catalog?.settings { reader.take(settings, into: &store.conditions) }
                return store.catalogPath != nil
            },
            .value(
                KeyFacts(
                    "bundle_id", .scalar(SchemaScalar(kinds: [.string, .integer], pattern: "^[A-Za-z0-9.-]+$")),
                    "text", "The app's bundle identifier in the signatures of its promotional offers.", rule: "R60",
                    drawing: .leftOut("the app's")), \.conditions.app.bundleIdentifier, written: { $0 }
            ) { $0.bundleIdentifier($1, $2) },
            .version("app_version", \.conditions.app.version, "The app's version, as `AppTransaction` has it."),
            .version(
                "original_app_version", \.conditions.app.originalVersion,
                "The version that each user got first, as `AppTransaction` has it."),
            .section(
                .capacity, \.conditions.capacity, "How many requests the store can handle at a time. Default: no limit."
            ),
            .outages("outages", \.conditions.outages, "When the store fails, from the start of the run."),
            .section(.errors, \.conditions.errors, "Requests that the store fails, from any user."),
            .section(.behaviour, \.behaviour, "How the store behaves where the documentation is silent."),
            .value(
                KeyFacts(
                    "time_rate", .reference("time_rate"), "rate",
                    "How fast subscriptions age: with 1h = 30d, one hour of the run is thirty days in store time.",
                    default: "the catalog's"), \.conditions.timeRate
            ) { $0.timeRate($1, $2) },
            .section(.subscriptions, \.conditions, "Grace period and price increases of subscriptions."),
            .list(
                "withdraw", of: .withdrawal, \.conditions.withdrawals, called: "withdrawals",
                max: ScenarioLimits.withdrawalsMax, "Products that the store stops selling during the run.",
                rule: "R54"),
        ])
}

extension ScenarioKey<StoreDraft> {
    fileprivate static func version(_ name: String, _ path: Path<String>, _ meaning: String) -> ScenarioKey {
        .value(
            KeyFacts(
                name, .scalar(SchemaScalar(kinds: [.string, .number])), "text", meaning, rule: "S74",
                drawing: .leftOut("the app's")), path, written: { $0 }
        ) { $0.text($1, $2, as: "a version") }
    }
}

extension KeySection<StoreCapacity> {
    static let capacity = KeySection(
        "store.capacity", StoreCapacity(workers: 1, serviceTime: .constant(0), queueLimit: 0),
        [
            .count(
                "workers", \.workers, in: 1...ScenarioLimits.workersMax,
                "How many requests the store handles at the same time.",
                required: true, drawing: .drawn { .scalar("\($0.number(1...20))") }, example: "100"),
            .durations(
                "service_time", \.serviceTime, "How long a request occupies a worker.", required: true,
                drawing: .lasting(.moment)),
            .count(
                "queue", \.queueLimit, in: 0...ScenarioLimits.queueMax,
                "How many requests may wait for a worker; further requests are refused.", required: true,
                example: "1_000"),
        ])
}

extension KeySection<StoreErrorRates> {
    static let errors = KeySection(
        "store.errors", StoreErrorRates(),
        [
            .share(
                "products", \.products, "Share of product requests that fail.", drawing: .shares([1, 5, 20, 40])),
            .share(
                "restore", \.restore, "Share of restores that fail half-way.", rule: "R28",
                drawing: .shares([1, 5, 20, 40])),
            .share(
                "receipt", \.receipt, "Share of receipt refreshes that fail.", rule: "R56",
                drawing: .shares([1, 5, 20, 40])),
            .value(
                KeyFacts(
                    "purchase",
                    .object(
                        StoreFailure.named.keys.sorted().map {
                            SchemaValue.optional(
                                $0, .reference("share"), "Share of purchases that fail with this error.")
                        }), "share by error", "Share of purchases that fail, by error; at most 100% together.",
                    drawing: .drawn { pen in
                        let errors = pen.some(pen.number(1...3), of: StoreFailure.named.keys.sorted())
                        return .mapping(errors.map { .init($0, pen.share([2, 10, 30])) })
                    }), \.purchase
            ) { $0.purchaseErrors($1, $2) },
        ])
}

extension KeySection<StoreConditions> {
    static let subscriptions = KeySection(
        "store.subscriptions", StoreConditions(),
        [
            .value(
                KeyFacts(
                    "grace_period", .boolean, "true | false",
                    "Whether a subscription stays active for a while after a failed renewal payment.", rule: "R48",
                    default: "the catalog's"), \.hasGracePeriod
            ) { $0.bool($1, $2) },
            .value(
                KeyFacts(
                    "price_increase_at", ScenarioSchema.span(.allowed), "duration",
                    "When the store asks subscribers to agree to a higher price. Default: never.", rule: "R52",
                    drawing: .lasting(.errand)), \.priceIncreaseAt
            ) { $0.span($1, $2).map { .start + $0 } },
        ])
}

extension KeySection<Withdrawal> {
    static let withdrawal = KeySection(
        "store.withdraw[]", Withdrawal(product: 0, at: .start),
        [
            .value(
                KeyFacts(
                    "product", .reference("product"), "product",
                    "The product that the store stops selling. Earlier purchases stay valid.", required: true),
                \.product
            ) { $0.product($1, $2) },
            .instant("at", \.at, "When the store stops selling it, from the start of the run.", required: true),
        ])
}
