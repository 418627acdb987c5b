// How apps write StoreKit 2 code: where they listen, what they observe, how they take results and errors apart.

import Foundation
import StoreKit
import Testing

/// Listens in a detached task from `init` on, and stops in `deinit`.
private final class DetachedStore {
    private var listener: Task<Void, Error>?
    private(set) var purchased: Set<String> = []

    init() {
        listener = Task.detached {
            for await result in Transaction.updates {
                // In Swift 6 the compiler gives up at `Self` here, whatever the sequence.
                let transaction = try DetachedStore.checkVerified(result)
                await transaction.finish()
            }
        }
    }

    deinit { listener?.cancel() }

    static func checkVerified<Signed>(_ result: VerificationResult<Signed>) throws -> Signed {
        switch result {
        case .unverified(_, let error): throw error
        case .verified(let safe): return safe
        }
    }
}

/// What views observe.
@Observable
@MainActor
private final class ObservableStore {
    private(set) var products: [Product] = []
    private(set) var purchasedIDs = Set<Product.ID>()
    private(set) var subscriptionState: RenewalState?

    typealias RenewalState = Product.SubscriptionInfo.RenewalState

    func load() async { products = (try? await Product.products(for: ["com.example.coins"])) ?? [] }

    func buy(_ product: Product) async throws -> Transaction? {
        let result = try await product.purchase(options: [.appAccountToken(UUID()), .quantity(1)])
        switch result {
        case .success(let verification):
            let transaction = try DetachedStore.checkVerified(verification)
            purchasedIDs.insert(transaction.productID)
            await transaction.finish()
            return transaction
        case .userCancelled, .pending: return nil
        @unknown default: return nil
        }
    }

    func refresh() async {
        var ids: Set<Product.ID> = []
        for await case .verified(let transaction) in Transaction.currentEntitlements
        where transaction.revocationDate == nil && !transaction.isUpgraded {
            ids.insert(transaction.productID)
        }
        purchasedIDs = ids
    }
}

/// What views observed before there was `@Observable`.
@MainActor
private final class PublishingStore: ObservableObject {
    @Published private(set) var entitled: Set<Product.ID> = []
    @Published var isLoading = false

    func refresh() async {
        isLoading = true
        defer { isLoading = false }
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result { entitled.insert(transaction.productID) }
        }
    }
}

/// An actor that hands results on as a stream.
private actor StreamingStore {
    nonisolated let transactions: AsyncStream<Transaction>

    init() {
        transactions = AsyncStream { continuation in
            let task = Task {
                for await result in Transaction.updates.compactMap({ try? $0.payloadValue }) {
                    continuation.yield(result)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

private enum Listener {
    static let shared: Task<Void, Never> = Task(priority: .background) { for await _ in Transaction.updates {} }
}

@Suite struct StoreKit2ShapeTests {
    @Test func storesOfEveryShapeLiveAndGo() async {
        weak var detached: DetachedStore?
        do {
            let store = DetachedStore()
            detached = store
            #expect(store.purchased.isEmpty)
        }
        #expect(detached == nil)
        let streaming = StreamingStore()
        #expect(type(of: streaming.transactions) == AsyncStream<Transaction>.self)
        Listener.shared.cancel()
        await Listener.shared.value
    }

    @MainActor
    @Test func observableStoreReadsWhatThereIs() async throws {
        let store = ObservableStore()
        await store.load()
        await store.refresh()
        // Whatever the other tests have bought.
        #expect(store.products.allSatisfy { $0.id == "com.example.coins" } && store.subscriptionState == nil)
    }

    @MainActor
    @Test func publishingStoreAnnouncesItsChanges() async {
        let store = PublishingStore()
        var changes = 0
        let cancellable = store.objectWillChange.sink { _ in changes += 1 }
        await store.refresh()
        // Loading begins and ends; what the other tests have bought may be entitled.
        #expect(changes >= 2 && !store.isLoading)
        cancellable.cancel()
    }

    @Test func errorsAreTakenApartByTheirCases() {
        func kind(_ error: any Error) -> String {
            switch error {
            case StoreKitError.userCancelled: return "cancelled"
            case StoreKitError.networkError(let error): return "network \(error.code.rawValue)"
            case Product.PurchaseError.purchaseNotAllowed: return "not allowed"
            case let error as VerificationResult<Transaction>.VerificationError: return "\(error)"
            default: return "other"
            }
        }
        #expect(kind(StoreKitError.userCancelled) == "cancelled")
        #expect(kind(StoreKitError.networkError(URLError(.timedOut))) == "network -1001")
        #expect(kind(Product.PurchaseError.purchaseNotAllowed) == "not allowed")
        #expect(kind(VerificationResult<Transaction>.VerificationError.invalidSignature) == "invalidSignature")
        #expect(kind(SKError(.paymentCancelled)) == "other")
    }

    // Apps log domain and code.
    @Test func errorCodesNumberTheCases() {
        let errors: [StoreKitError] = [
            .networkError(URLError(.timedOut)), .systemError(URLError(.timedOut)), .unknown, .userCancelled,
            .notAvailableInStorefront, .notEntitled, .unsupported,
        ]
        #expect(errors.map { ($0 as NSError).code } == Array(0...6))
        #expect(errors.allSatisfy { ($0 as NSError).domain == "StoreKit.StoreKitError" })
        #expect(errors.allSatisfy { !$0.localizedDescription.isEmpty })
    }

    @Test func sequencesAreTypedAndDoNotThrow() async {
        func first(of sequence: some AsyncSequence<VerificationResult<Transaction>, Never>) async -> Transaction? {
            for await result in sequence { return result.unsafePayloadValue }
            return nil
        }
        #expect(await first(of: Transaction.all(for: "nothing")) == nil)
        let entitled = await Transaction.currentEntitlements(for: "nothing").reduce(into: 0) { count, _ in count += 1 }
        #expect(entitled == 0)
    }

    @Test func valuesAreBuiltByHandAsInClients() {
        #expect(Product.ProductType(rawValue: "Consumable") == .consumable)
        #expect(Transaction.OfferType(rawValue: 99).rawValue == 99)
        #expect(AppStore.Environment(rawValue: "Sandbox") == .sandbox)
        #expect(Product.SubscriptionPeriod.monthly.unit == .month && Product.SubscriptionPeriod.Unit.day < .year)
        #expect([Product.PurchaseOption.quantity(2), .quantity(2)].count == 2)
        #expect(Set([Product.PurchaseOption.quantity(2), .quantity(2)]).count == 1)
    }
}
