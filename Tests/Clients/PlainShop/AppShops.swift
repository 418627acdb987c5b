// Each of the five shops as a client: as it is, with a bug planted, and for the wall clock, where devices run at once and
// statics are everybody's.

import Stampede
import StoreKit

extension AppShop {
    init(_ shop: CallbackShop) {
        self.init(
            records: shop.records, start: shop.start, stop: shop.stop, refresh: shop.refresh,
            fetch: shop.fetch, buy: shop.buy, restore: shop.restore)
    }

    init(_ shop: WaitingShop) {
        self.init(
            records: shop.records, start: shop.start, stop: shop.stop, refresh: shop.refresh,
            fetch: shop.fetch, buy: shop.buy, restore: shop.restore)
    }

    init(_ shop: OperationShop) {
        self.init(
            records: shop.records, start: shop.start, stop: shop.stop, refresh: shop.refresh,
            fetch: { identifiers, completion in shop.fetch(identifiers).receive(on: .main).sink(completion) },
            buy: { identifier, quantity, completion in shop.buy(identifier, quantity).sink(completion) },
            restore: { completion in shop.restore().sink(completion) })
    }

    @MainActor init(_ shop: MainActorShop) {
        self.init(
            records: shop.records,
            start: { MainActor.assumeIsolated { shop.start() } },
            stop: { MainActor.assumeIsolated { shop.stop() } },
            refresh: { MainActor.assumeIsolated { shop.refresh() } },
            fetch: { identifiers, completion in
                Task { @MainActor in completion(await Self.result { try await shop.fetch(identifiers) }) }
            },
            buy: { identifier, quantity, completion in
                Task { @MainActor in completion(await shop.buy(identifier, quantity)) }
            },
            restore: { completion in
                Task { @MainActor in completion(await Self.result { try await shop.restore() }) }
            })
    }

    init(_ shop: ActorShop) {
        self.init(
            records: shop.records, start: shop.start, stop: shop.stop, refresh: shop.refresh,
            fetch: { identifiers, completion in
                Task { @MainActor in completion(await Self.result { try await shop.fetch(identifiers) }) }
            },
            buy: { identifier, quantity, completion in
                Task { @MainActor in completion(await shop.buy(identifier, quantity)) }
            },
            restore: { completion in
                Task { @MainActor in completion(await Self.result { try await shop.restore() }) }
            })
    }

    @MainActor private static func result<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

public class CallbackShopClient: AppShopClient {
    override public class var name: String { "callback-shop" }
    override class func open() -> AppShop { AppShop(CallbackShop.shared) }
}

public final class HastyCallbackShopClient: CallbackShopClient {
    override public class var name: String { "hasty-callback-shop" }
    override class func open() -> AppShop { AppShop(CallbackShop.hasty) }
}

public final class OwnCallbackShopClient: CallbackShopClient {
    override public class var name: String { "own-callback-shop" }
    override class func open() -> AppShop { AppShop(perDevice { CallbackShop() }) }
}

public class MainActorShopClient: AppShopClient {
    override public class var name: String { "main-actor-shop" }
    override class func open() -> AppShop { MainActor.assumeIsolated { AppShop(MainActorShop.shared) } }
}

public final class HastyMainActorShopClient: MainActorShopClient {
    override public class var name: String { "hasty-main-actor-shop" }
    override class func open() -> AppShop { MainActor.assumeIsolated { AppShop(MainActorShop.hasty) } }
}

public final class OwnMainActorShopClient: MainActorShopClient {
    override public class var name: String { "own-main-actor-shop" }
    override class func open() -> AppShop { MainActor.assumeIsolated { AppShop(perDevice { MainActorShop() }) } }
}

public final class TrustingShopClient: MainActorShopClient {
    override public class var name: String { "trusting-shop" }
    override class func open() -> AppShop { MainActor.assumeIsolated { AppShop(TrustingShop.trusting) } }
}

public class ActorShopClient: AppShopClient {
    override public class var name: String { "actor-shop" }
    override class func open() -> AppShop { AppShop(ActorShop.shared) }
}

public final class HastyActorShopClient: ActorShopClient {
    override public class var name: String { "hasty-actor-shop" }
    override class func open() -> AppShop { AppShop(ActorShop.hasty) }
}

public final class OwnActorShopClient: ActorShopClient {
    override public class var name: String { "own-actor-shop" }
    override class func open() -> AppShop { AppShop(perDevice { ActorShop() }) }
}

public class OperationShopClient: AppShopClient {
    override public class var name: String { "operation-shop" }
    override class func open() -> AppShop { AppShop(OperationShop.shared) }
}

public final class HastyOperationShopClient: OperationShopClient {
    override public class var name: String { "hasty-operation-shop" }
    override class func open() -> AppShop { AppShop(OperationShop.hasty) }
}

public final class OwnOperationShopClient: OperationShopClient {
    override public class var name: String { "own-operation-shop" }
    override class func open() -> AppShop { AppShop(perDevice { OperationShop() }) }
}

public class WaitingShopClient: AppShopClient {
    override public class var name: String { "waiting-shop" }
    override class func open() -> AppShop { AppShop(WaitingShop.shared) }
}

public final class HastyWaitingShopClient: WaitingShopClient {
    override public class var name: String { "hasty-waiting-shop" }
    override class func open() -> AppShop { AppShop(WaitingShop.hasty) }
}

public final class OwnWaitingShopClient: WaitingShopClient {
    override public class var name: String { "own-waiting-shop" }
    override class func open() -> AppShop { AppShop(perDevice { WaitingShop() }) }
}

/// Waits on the main queue until its products are there, which are told on the main queue.
public final class StuckShopClient: WaitingShopClient {
    override public class var name: String { "stuck-shop" }

    override public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let done = DispatchSemaphore(value: 0)
        super.fetchProducts(identifiers) {
            completion($0)
            done.signal()
        }
        done.wait()
    }
}

/// The same in its launch.
public final class StuckAtLaunchShopClient: WaitingShopClient {
    override public class var name: String { "stuck-at-launch-shop" }

    override public func launch() {
        super.launch()
        let done = DispatchSemaphore(value: 0)
        fetchProducts(nil) { _ in done.signal() }
        done.wait()
    }
}
