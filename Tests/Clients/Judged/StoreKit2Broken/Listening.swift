// Broken clients that hear too little of what StoreKit tells by itself.
// On any thread, as their base.

import ClientKit
import StoreKit

/// Defect: the app knows only what `purchase` returns. It neither listens to updates nor looks through what is unfinished,
/// so that approvals and purchases whose answer was lost are never delivered.
final class HasNoListener: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-no-listener" }

    override func listen() {}
    override func catchUp() { readEntitlements() }
}

/// Defect: the app leaves delivery to the listener and only shows what `purchase` returns. StoreKit does not tell the
/// listener of purchases that this device has just made, so that the goods are missing until the next launch.
final class LeavesDeliveryToUpdates: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-updates-only-delivery" }

    override func buy(_ product: Product, quantity: Int) async throws -> PurchaseOutcome {
        // The one place where goods are handed out is the listener.
        PurchaseOutcome(try await product.purchase(options: options(quantity)))
    }
}

/// Defect: the app begins to listen when the user signs in, which is when they first open the shop, buy or restore.
/// Somebody who only plays on receives nothing of what has come meanwhile.
final class ListensAfterSignIn: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-late-listener" }

    private let session = Session()

    override func launch() { readEntitlements() }

    override func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        await signIn()
        return try await super.fetchProducts(identifiers)
    }

    override func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        await signIn()
        return try await super.purchase(productIdentifier, quantity: quantity)
    }

    override func restore() async throws -> RestoreOutcome {
        await signIn()
        return try await super.restore()
    }

    private func signIn() async { if await session.begin() { start() } }
}

private actor Session {
    private var isSignedIn = false

    /// Whether it has just begun.
    func begin() -> Bool {
        defer { isSignedIn = true }
        return !isSignedIn
    }
}

/// Defect: a listener runs from the launch on and hands over to the screen that is there, and there is none before the shop is
/// open. StoreKit does not repeat in the same launch what the listener has dropped.
final class DropsUntilReady: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-drops-updates-until-ready" }

    private let emitter = UpdateEmitter()

    override func listen() { emitter.connect() }
    /// What is unfinished comes by the listener as well.
    override func catchUp() { readEntitlements() }

    override func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        emitter.onPurchaseUpdated { [weak self] in _ = await self?.process($0) }
        return try await super.fetchProducts(identifiers)
    }
}

private final class UpdateEmitter: @unchecked Sendable {  // Guard: `lock`.
    typealias Handler = @Sendable (VerificationResult<Transaction>) async -> Void
    private let lock = NSLock()
    private var handler: Handler?

    func connect() {
        Task { for await result in Transaction.updates { await emit(result) } }
    }

    func onPurchaseUpdated(_ handler: @escaping Handler) { lock.withLock { self.handler = handler } }

    private func emit(_ result: VerificationResult<Transaction>) async {
        let handler = lock.withLock { self.handler }
        await handler?(result)
    }
}

/// Defect: the app cancels its listener when it goes to the background, and starts none afterwards because there is
/// one already. What comes after the first return to the foreground is not heard.
final class StopsInBackground: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-listener-cancelled-in-background" }

    // Guard: the main queue, on which calls about the app's life come.
    private var listener: Task<Void, Never>?

    override func listen() {
        guard listener == nil else { return }
        listener = Task { for await result in Transaction.updates { await process(result) } }
    }

    override func didEnterBackground() { listener?.cancel() }

    override func willEnterForeground() {
        listen()
        super.willEnterForeground()
    }
}

/// Defect: the loop over the updates stands inside the `do`, and not the other way round. The first transaction that
/// cannot be verified ends the loop, and the app hears of none that follows.
final class StopsAtError: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-listener-breaks-on-error" }

    override func listen() {
        Task {
            do {
                for await result in Transaction.updates {
                    let transaction = try result.payloadValue
                    _ = await take(transaction)
                }
            } catch {
                // It is none of ours.
            }
        }
    }
}
