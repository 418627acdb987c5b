// Words for the places where something could go wrong.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    func text(of place: MishapPlace) -> String {
        switch place.kind {
        case .effect(let effect):
            // What the device noted just after the effect passed.
            let next = place.eventCount < input.events.count ? input.events[place.eventCount] : nil
            return text(of: effect, next: next)
        case .message(.post(let address)): return sends(address).text
        case .message(.store(let request)): return text(of: request)
        }
    }

    private func text(of effect: Effect, next: EventRecord?) -> String {
        if let next, next.event.effect == effect { return words(for: next).text }
        switch effect {
        case .storeKitCall: return "the app calls StoreKit"
        case .finish: return "the app finishes a transaction again"
        case .storageWrite: return "the app writes to storage"
        case .answer: return "the app answers"
        case .httpRequest: return "the app sends a request to a server"
        }
    }

    private func text(of request: StoreRequest) -> String {
        switch request {
        case .products(let identifiers): return "StoreKit asks for \(identifiers.count) products"
        case .purchase(let order):
            let payment = order.payment
            return "StoreKit pays for \(payment.quantity) × \(name(input.catalog.index(of: payment.productIdentifier)))"
        case .restore: return "StoreKit asks for restorable purchases"
        case .sync: return "StoreKit asks for unfinished purchases"
        case .finish(let id): return "StoreKit reports transaction \(id.text) as finished"
        case .redeemOffer: return "StoreKit shows the sheet for codes"
        case .refund(let id): return "StoreKit asks for a refund of transaction \(id.text)"
        case .refreshReceipt: return "StoreKit asks for a fresh receipt"
        case .synchronise: return "StoreKit asks for all purchases"
        case .priceConsent: return "StoreKit shows the sheet for a higher price"
        }
    }
}
