// The protocol through which the harness drives an app's purchase code.
// Every method is called on the device's main queue.

/// Purchase-handling code under test, one instance for each launch of the app.
///
/// Wrap the class your app uses: make it in `init` or `launch`, pass calls on, and turn its callbacks into outcomes.
/// Whatever must survive the process goes through the `AppEnvironment`.
public protocol StoreClient: AnyObject, SendableMetatype {
    /// What scenarios and reports call it: lower case, words joined by hyphens.
    static var name: String { get }
    /// One sentence for `stampede list clients`.
    static var summary: String { get }
    /// The options it understands, under `client: {name: …, options: {…}}`.
    static var options: [ClientOption] { get }

    init(environment: AppEnvironment)

    /// The app has been launched. A careful client observes the payment queue from here on.
    func launch()
    /// The system is about to end the app in an orderly way. Not called before a crash.
    func willTerminate()
    func didEnterBackground()
    func willEnterForeground()

    /// The user opens the shop: fetch these products, or all that the app sells where nil. Answer exactly once.
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void)
    /// The user buys. Answer exactly once, with what the user is told.
    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void)
    /// The user asks for earlier purchases. Answer exactly once.
    func restore(completion: @escaping (RestoreOutcome) -> Void)
    /// The user uses up one of the goods of a product: gone from durable storage when it returns, or within a second.
    func use(_ productIdentifier: String)

    /// The goods held of each product, read from durable storage: what would be there after a crash right now. What a
    /// journal there has the next launch deliver is held too.
    ///
    /// Asked for while purchases are open, after every durable write and just before every finish; before the app is
    /// deleted; and at the end, also of a process that has ended.
    func holdings() -> [String: Int]
    /// The same for one product. Called after every write while goods are waited for, so it should be quick.
    func holdings(of productIdentifier: String) -> Int
    /// How many goods one purchase of a product brings: three lives, say.
    static func goods(perPurchaseOf productIdentifier: String) -> Int
}

extension StoreClient {
    public static var options: [ClientOption] { [] }
    public func didEnterBackground() {}
    public func willEnterForeground() {}
    public func holdings(of productIdentifier: String) -> Int { holdings()[productIdentifier] ?? 0 }
    public static func goods(perPurchaseOf productIdentifier: String) -> Int { 1 }
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

/// What the user is shown after opening the shop.
public enum FetchOutcome: Sendable, Equatable {
    case fetched([String])
    case failed(message: String)
}

/// What the user is told about a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
    case purchased
    case cancelled
    /// It needs approval first.
    case deferred
    case failed(message: String)
    /// Turned away by the app before the store was asked.
    case refused(reason: String)
}

/// What the user is told about a restore.
public enum RestoreOutcome: Sendable, Equatable {
    /// Zero: there was nothing to restore.
    case restored(count: Int)
    case cancelled
    case failed(message: String)
}
