// The protocol through which the harness drives an app's purchase code.
// Every method is called on the device's main queue.

internal import StoreKit

/// Purchase-handling code under test, one instance for each launch of the app.
///
/// Wrap the class your app uses. Three members are required: `purchase`, `restore` and `holdings()`; everything else has a
/// default. Code that is `async` conforms to `AsyncStoreClient` instead.
public protocol StoreClient: AnyObject, SendableMetatype {
    // MARK: What every client has

    /// The user buys. Answer exactly once, with what the user is told; from any queue.
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void)
    /// The user asks for earlier purchases. Answer exactly once; from any queue.
    func restore(completion: @escaping (RestoreOutcome) -> Void)
    /// The goods held of each product, read from durable storage: what would be there after a crash right now. What a
    /// journal there has the next launch deliver is held too.
    ///
    /// Asked for while purchases are open, after every durable write and just before every finish; before the app is
    /// deleted; and at the end, also of a process that has ended. So it can neither wait nor be `async`. What it throws is
    /// told in the report, and counts as holding nothing.
    func holdings() throws -> [String: Int]

    // MARK: What has a default

    /// What scenarios and reports call it: lower case, words joined by hyphens. By default the type's name: `shop-client`
    /// for `ShopClient`.
    static var name: String { get }
    /// One sentence for `stampede list clients`.
    static var summary: String { get }
    /// The options it understands, under `client: {name: …, options: {…}}`. By default none.
    static var options: [ClientOption] { get }
    /// How many goods one purchase of a product brings: three lives, say. By default one.
    static func goods(perPurchaseOf productIdentifier: String) -> Int

    /// The app starts. By default `init()` is called, which a class has whose properties all have values; what it needs of
    /// its device it finds in `environment`.
    init(environment: AppEnvironment)
    init()

    /// The app has been launched. A careful client observes the payment queue from here on. By default nothing happens.
    func launch()
    /// The system is about to end the app in an orderly way. Not called before a crash. By default nothing happens.
    func willTerminate()
    func didEnterBackground()
    func willEnterForeground()

    /// The user opens the shop: fetch these products, or all that the app sells where nil. Answer exactly once.
    /// By default a products request of Stampede's own asks the store; `environment.product(_:)` then has what it found.
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void)
    /// The user uses up one of the goods of a product: gone from durable storage when it returns, or within a second.
    /// By default nothing is ever used up.
    func use(_ productIdentifier: String)
    /// What `holdings()` has for one product. Called after every write while goods are waited for, so it should be quick.
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
