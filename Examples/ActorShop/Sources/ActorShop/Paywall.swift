// What the screen with the offers shows; the view draws it.

import Foundation
import StoreKit

@MainActor
public final class Paywall {
    public private(set) var offers: [Offer] = []
    public private(set) var message: String?
    public private(set) var isBusy = false
    /// The view draws itself anew.
    public var onChange: () -> Void = {}

    private let shop: Shop

    public init(shop: Shop = .shared) { self.shop = shop }

    public func appear() async {
        await perform { [self] in
            offers = try await shop.offers()
            return nil
        }
    }

    public func buy(_ offer: Offer) async {
        await perform { [self] in
            switch try await shop.buy(offer.id) {
            case .bought: "Thank you! \(offer.title) is yours."
            case .waitsForApproval: "Your family has been asked."
            }
        }
    }

    public func restore() async {
        await perform { [self] in
            let count = try await shop.restore()
            return count == 0 ? "There was nothing to restore." : "\(count) purchases are back."
        }
    }

    private func perform(_ work: () async throws -> String?) async {
        guard !isBusy else { return }
        isBusy = true
        onChange()
        do {
            message = try await work()
        } catch let error as SKError where error.code == .paymentCancelled {
            message = nil
        } catch {
            message = error.localizedDescription
        }
        isBusy = false
        onChange()
    }
}
