// The protocol through which the harness drives an app's purchase code.
// The harness calls every method on the device's main queue.

internal import StoreKit

/// Purchase code under test: one instance for each launch of the app.
///
/// Wrap the class that your app uses. `purchase`, `restore` and `holdings()` are required; all other members have a
/// default. Code that is `async` conforms to `AsyncStoreClient` instead.
public protocol StoreClient: AnyObject, SendableMetatype {
    // MARK: What every client has

    /// The user buys. Call `completion` exactly once, from any queue, with the outcome that the app shows the user.
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void)
    /// The user asks for earlier purchases. Call `completion` exactly once, from any queue.
    func restore(completion: @escaping (RestoreOutcome) -> Void)
    /// The goods held of each product, as a crash now would leave them.
    /// Read them from durable storage.
    /// Goods that a durable journal makes the next launch deliver are held too.
    ///
    /// The harness calls it while purchases are open, after every durable write, and just before every finish.
    /// It also calls it before the app is deleted, and at the end, even of a process that has ended.
    /// So it can neither wait nor be `async`. An error that it throws is in the report and counts as holding nothing.
    func holdings() throws -> [String: Int]

    // MARK: What has a default

    /// The client's name in scenarios and reports: lower case, words joined by hyphens.
    /// By default it is made from the type's name: `shop-client` for `ShopClient`.
    static var name: String { get }
    /// One sentence about the client for `stampede list clients`.
    static var summary: String { get }
    /// The options that the client understands, set under `client: {name: …, options: {…}}`. None by default.
    static var options: [ClientOption] { get }
    /// How many goods one purchase of a product brings: three lives, for example. One by default.
    static func goods(perPurchaseOf productIdentifier: String) -> Int

    /// The app starts. By default this calls `init()`, which a class has if all its properties have values.
    /// Such a class finds its device in the property `environment`.
    init(environment: AppEnvironment)
    init()

    /// The app has been launched. A careful client observes the payment queue from here on. Does nothing by default.
    func launch()
    /// The system is about to end the app in an orderly way. Not called before a crash. Does nothing by default.
    func willTerminate()
    func didEnterBackground()
    func willEnterForeground()

    /// The user opens the shop: fetch these products; nil means every product.
    /// Call `completion` exactly once.
    /// By default Stampede sends its own products request; `environment.product(_:)` then has the products it found.
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void)
    /// The user uses up one of a product's goods.
    /// Remove it from durable storage before returning, or within a second.
    /// By default no goods are used up.
    func use(_ productIdentifier: String)
    /// The goods that `holdings()` has for one product.
    /// The harness calls it after every write while it waits for goods, so it should be quick.
    func holdings(of productIdentifier: String) throws -> Int
}

extension StoreClient {
    public static var name: String { ClientName.hyphenated(String(describing: Self.self)) }
    public static var summary: String { "\(Self.self), a client of this program." }
    public static var options: [ClientOption] { [] }
    public static func goods(perPurchaseOf productIdentifier: String) -> Int { 1 }

    public init(environment: AppEnvironment) { self.init() }
    public init() {
        fatalError("\(Self.self) needs init() or init(environment:), which StoreClient requires")
    }

    /// The device as the app sees it.
    public var environment: AppEnvironment { .current }

    public func launch() {}
    public func willTerminate() {}
    public func didEnterBackground() {}
    public func willEnterForeground() {}

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        AppEnvironment.current.fetchProducts(identifiers) { result in
            switch result {
            case .success(let products): completion(.fetched(products.map(\.productIdentifier)))
            case .failure(let error): completion(FetchOutcome(error))
            }
        }
    }

    public func use(_ productIdentifier: String) {}
    public func holdings(of productIdentifier: String) throws -> Int { try holdings()[productIdentifier] ?? 0 }
}

/// A setting that a client offers to scenarios.
public struct ClientOption: Sendable {
    public let name: String
    public let values: [String]
    public let meaning: String

    /// - Parameter values: the legal values, the default first.
    public init(name: String, values: [String], meaning: String) {
        self.name = name
        self.values = values
        self.meaning = meaning
    }
}
