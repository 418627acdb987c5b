// Known clients that go wrong in a request for products.
// Confined to the device's main queue; each cites its thread.

import Foundation
import Stampede
import StoreKit

/// What became of the first request is kept, a failure too. Whoever opens the shop once in a tunnel is told until the
/// app is started anew that the products cannot be loaded, and cannot buy, though the network is back.
///
/// https://github.com/apphud/ApphudSDK/issues/151, and https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/250
public final class FetchDeadShop: BlindShop {
    override public class var name: String { "known-fetch-dead" }
    override public class var summary: String { "Remembers that a request for products failed, and asks no more." }

    private var failure: (any Error)?

    override func load(_ identifiers: [String], _ answer: @escaping (Result<[String], any Error>) -> Void) {
        if let failure { return answer(.failure(failure)) }
        super.load(identifiers) { [self] result in
            if case .failure(let error) = result { failure = error }
            answer(result)
        }
    }
}

/// A failed request is passed on as an empty list: the completion has no place for an error. The user sees a shop
/// without goods, and no reason to try again.
///
/// "We only pass an empty set back on error": https://github.com/RevenueCat/purchases-ios/pull/1017
public final class FetchEmptyShop: BlindShop {
    override public class var name: String { "known-fetch-empty" }
    override public class var summary: String { "Passes a failed request for products on as an empty list." }

    override public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        load(identifiers ?? environment.products.map(\.identifier)) { result in
            completion(.fetched((try? result.get()) ?? []))
        }
    }
}

/// Keeps who waits for a request, and not the request, which may be freed as soon as the method returns. Nobody hears
/// of it then: the shop shows a spinner.
///
/// https://github.com/mattt/CargoBay/pull/64
public final class RequestUnheldShop: BlindShop {
    override public class var name: String { "known-request-unheld" }
    override public class var summary: String { "Does not hold on to its requests for products." }

    private var answers: [ObjectIdentifier: (Result<[String], any Error>) -> Void] = [:]

    override func load(_ identifiers: [String], _ answer: @escaping (Result<[String], any Error>) -> Void) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        answers[ObjectIdentifier(request)] = answer
        request.start()
    }

    override func loaded(_ request: SKRequest, _ result: Result<[String], any Error>) {
        answers.removeValue(forKey: ObjectIdentifier(request))?(result)
    }
}

/// A request that fails is sent again at once, until one succeeds. Without a network the app asks as fast as it can: it
/// empties the battery, and the shop says nothing.
///
/// https://github.com/adaptyteam/AdaptySDK-iOS/issues/70
public final class FetchSpinsShop: BlindShop {
    override public class var name: String { "known-fetch-spins" }
    override public class var summary: String { "Repeats a failed request for products at once, for ever." }

    override func load(_ identifiers: [String], _ answer: @escaping (Result<[String], any Error>) -> Void) {
        super.load(identifiers) { [self] result in
            if case .failure = result { return load(identifiers, answer) }
            answer(result)
        }
    }
}

/// Sells only what the shop has shown before in this launch. A button that buys directly, on the screen after a level,
/// say, is told that the product is unknown, until the user happens to open the shop.
///
/// https://github.com/chirag04/react-native-in-app-utils/issues/39
public final class NeedsFetchShop: BlindShop {
    override public class var name: String { "known-needs-fetch" }
    override public class var summary: String { "Refuses to sell a product that was not fetched in this launch." }

    override public func purchase(
        _ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard products[identifier] != nil else { return completion(.refused(reason: "invalid_product")) }
        super.purchase(identifier, quantity: quantity, completion: completion)
    }
}

/// The product to buy waits in a property for the answer to the request for it, and stays there when it has been paid.
/// Each later answer that lists it pays it again: whoever opens the shop after a purchase is asked to pay once more,
/// and charged if the password is still remembered.
///
/// "Everything is double, including the purchase": https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/132
public final class WantedAgainShop: BlindShop {
    override public class var name: String { "known-wanted-again" }
    override public class var summary: String { "Adds a payment whenever the product bought last arrives." }

    private struct Wanted {
        let product: String
        let quantity: Int
        var answer: ((PurchaseOutcome) -> Void)?
    }

    private var wanted: [Wanted] = []

    override public func purchase(
        _ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard SKPaymentQueue.canMakePayments(), products[identifier] == nil else {
            return super.purchase(identifier, quantity: quantity, completion: completion)
        }
        wanted.append(Wanted(product: identifier, quantity: quantity, answer: completion))
        load([identifier]) { [self] result in
            if case .success(let found) = result, found.contains(identifier) { return }
            wanted.removeAll { $0.product == identifier }
            completion(.failed(message: "The product could not be loaded."))
        }
    }

    override func loaded(_ request: SKRequest, _ result: Result<[String], any Error>) {
        super.loaded(request, result)
        guard case .success(let found) = result else { return }
        for place in wanted.indices where found.contains(wanted[place].product) {
            guard let product = products[wanted[place].product] else { continue }
            let answer = wanted[place].answer
            wanted[place].answer = nil
            pay(product, wanted[place].quantity) { answer?($0) }
        }
    }
}
