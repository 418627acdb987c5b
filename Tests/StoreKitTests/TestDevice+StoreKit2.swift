// The device of the tests, used through StoreKit 2 only.
// Confined to the test that made it.

import DeviceSupport
import Simulation
import StoreKit
import Testing

/// What tasks of an app note. Guard: the virtual clock runs one at a time.
final class Notes<Value>: @unchecked Sendable {
    var values: [Value] = []
}

/// A task that reads `Transaction.updates` for as long as the app lives.
final class UpdatesReader: @unchecked Sendable {  // Guard: as `Notes`.
    private(set) var transactions: [Transaction] = []
    /// The loop has ended.
    private(set) var hasEnded = false
    private var task: Task<Void, Never>?

    init(on bench: TestDevice, finishes: Bool = true) {
        bench.process.enter(.launch) {
            task = Task {
                for await result in Transaction.updates {
                    let transaction = result.unsafePayloadValue
                    self.transactions.append(transaction)
                    if finishes { await transaction.finish() }
                }
                self.hasEnded = true
            }
        }
    }

    func cancel() { task?.cancel() }

    var products: [String] { transactions.map(\.productID) }
}

/// A device on which the app runs, without an observer on the queue.
func launched(_ change: (inout TestConditions) -> Void = { _ in }) -> TestDevice {
    let bench = TestDevice {
        $0.hasOutsideActions = true
        change(&$0)
    }
    bench.launchWithoutObserver()
    return bench
}

extension TestDevice {
    /// Begins a task of the running app.
    func start(_ body: @escaping @Sendable () async -> Void) {
        process.enter(.launch) { _ = Task(operation: body) }
    }

    /// The result of a task of the running app; nil: it waits for ever.
    func outcome<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Result<Value, any Error>? {
        let notes = Notes<Result<Value, any Error>>()
        start {
            do { notes.values.append(.success(try await body())) } catch { notes.values.append(.failure(error)) }
        }
        runUntilQuiet()
        return notes.values.first
    }

    func value<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        try #require(outcome(body), "the task waits for ever", sourceLocation: sourceLocation).get()
    }

    static func purchase(
        _ identifier: String, _ options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        guard let product = try await Product.products(for: [identifier]).first else {
            throw Product.PurchaseError.productUnavailable
        }
        return try await product.purchase(options: options)
    }

    /// Buys and waits for the result.
    func purchase(
        _ identifier: String, _ options: Set<Product.PurchaseOption> = []
    ) throws -> Product.PurchaseResult {
        try value { try await Self.purchase(identifier, options) }
    }

    /// Buys, waits for success and finishes.
    @discardableResult
    func own(_ identifier: String) throws -> Transaction {
        try value {
            let transaction = try await Self.purchase(identifier).transaction
            await transaction.finish()
            return transaction
        }
    }

    func list(_ sequence: @escaping @Sendable () -> Transaction.Transactions) throws -> [Transaction] {
        try value {
            var found: [Transaction] = []
            for await result in sequence() { found.append(result.unsafePayloadValue) }
            return found
        }
    }

    func products(_ sequence: @escaping @Sendable () -> Transaction.Transactions) throws -> [String] {
        try list(sequence).map(\.productID)
    }
}

/// A purchase that was to succeed did not.
struct NoSuccess: Error { let result: Product.PurchaseResult }

extension Product.PurchaseResult {
    var transaction: Transaction {
        get throws {
            guard case .success(let result) = self else { throw NoSuccess(result: self) }
            return try result.payloadValue
        }
    }
}
