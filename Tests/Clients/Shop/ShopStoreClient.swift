// The shop behind the harness's protocol, and a note of every answer: on which device it was asked for, on which given.

import Foundation
import Stampede

/// What came back, over all devices of a run.
public final class ShopAnswers: @unchecked Sendable {  // Guard: `lock`.
    public enum Kind: Sendable { case fetch, purchase, restore }

    private static let shelfLock = NSLock()
    nonisolated(unsafe) private static var shelf: [String: ShopAnswers] = [:]  // Guard: `shelfLock`.

    private let lock = NSLock()
    private var counts: [Kind: Int] = [:]
    private var strays = 0
    public let number = UUID().uuidString

    public init() { Self.shelfLock.withLock { Self.shelf[number] = self } }

    static func numbered(_ number: String?) -> ShopAnswers? { shelfLock.withLock { shelf[number ?? ""] } }

    public func count(_ kind: Kind) -> Int { lock.withLock { counts[kind] ?? 0 } }
    /// Answers that arrived elsewhere than on the device, or in the app, that asked.
    public var strayCount: Int { lock.withLock { strays } }

    func add(_ kind: Kind, isHome: Bool) {
        lock.withLock {
            counts[kind, default: 0] += 1
            if !isHome { strays += 1 }
        }
    }
}

public final class ShopStoreClient: StoreClient {
    #if PLAIN
        public static let name = "plain-shop"
    #else
        public static let name = "shop"
    #endif
    public static let summary = "A shop with a queue of its own."
    public static let options = [ClientOption(name: "answers", values: [""], meaning: "Where to note answers.")]

    private let environment: AppEnvironment
    private let answers: ShopAnswers?
    private let shop = ShopManager.shared
    private let home = UserDefaults.standard

    public init(environment: AppEnvironment) {
        self.environment = environment
        answers = ShopAnswers.numbered(environment.options["answers"])
    }

    private func note(_ kind: ShopAnswers.Kind) {
        let isHome = ShopManager.shared === shop && UserDefaults.standard === home && Thread.isMainThread
        answers?.add(kind, isHome: isHome)
    }

    public func launch() { shop.start() }
    public func willTerminate() { shop.stop() }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        shop.fetch(Set(identifiers ?? environment.products.map(\.identifier))) { found in
            self.note(.fetch)
            completion(.fetched(found))
        }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(identifier) { isBought in
            self.note(.purchase)
            completion(isBought ? .purchased : .failed(message: "It did not work."))
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { count in
            self.note(.restore)
            completion(count.map { .restored(count: $0) } ?? .failed(message: "It did not work."))
        }
    }

    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }
}

/// The client in this module's copy of the template.
public func copiedTemplate() -> any StoreClient.Type { TemplateClient.self }
