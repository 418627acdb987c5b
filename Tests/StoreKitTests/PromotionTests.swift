// The products that the App Store's page promotes on a device.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct PromotionTests {
    private let bench = TestDevice()

    init() { bench.launchWithoutObserver() }

    private var controller: SKProductStorePromotionController { bench.inside { .default() } }

    private final class Named: SKProduct, @unchecked Sendable {
        private let name: String
        init(_ name: String) {
            self.name = name
            super.init()
        }
        override var productIdentifier: String { name }
    }

    private func visibility(_ identifier: String) -> SKProductStorePromotionVisibility? {
        var found: SKProductStorePromotionVisibility?
        controller.fetchStorePromotionVisibility(for: Named(identifier)) { visibility, error in
            if error == nil { found = visibility }
        }
        bench.runUntilQuiet()
        return found
    }

    private func order() -> [String]? {
        var found: [String]?
        controller.fetchStorePromotionOrder { products, error in
            if error == nil { found = products.map(\.productIdentifier) }
        }
        bench.runUntilQuiet()
        return found
    }

    @Test func appHasOnePromotionController() {
        let first = controller
        #expect(controller === first)
        bench.device.terminate()
        bench.launchWithoutObserver()
        #expect(controller !== first)
    }

    @Test func promotionVisibilityIsStored() {
        #expect(visibility(Goods.hat) == .default)
        var errors: [(any Error)?] = []
        controller.update(storePromotionVisibility: .hide, for: Named(Goods.hat)) { errors.append($0) }
        controller.update(storePromotionVisibility: .show, for: Named(Goods.coins))
        // The answer is never inside the call.
        #expect(errors.isEmpty)
        #expect(visibility(Goods.hat) == .hide && visibility(Goods.coins) == .show)
        #expect(errors.count == 1 && errors.allSatisfy { $0 == nil })
        controller.update(storePromotionVisibility: .default, for: Named(Goods.hat))
        #expect(visibility(Goods.hat) == .default)
    }

    @Test func promotionOrderIsTheLastUpdates() {
        #expect(order() == [])
        controller.update(storePromotionOrder: [Named(Goods.hat), Named(Goods.unknown), Named(Goods.coins)])
        #expect(order() == [Goods.hat, Goods.coins])
        controller.update(storePromotionOrder: [])
        #expect(order() == [])
    }

    @Test func promotionSettingsOutliveTheApp() {
        controller.update(storePromotionVisibility: .hide, for: Named(Goods.hat))
        controller.update(storePromotionOrder: [Named(Goods.hat)])
        bench.device.crash()
        bench.launchWithoutObserver()
        #expect(visibility(Goods.hat) == .hide && order() == [Goods.hat])
    }

    @Test func endedAppsPromotionUpdateDoesNothing() {
        let old = controller
        bench.device.crash()
        var answers = 0
        old.update(storePromotionOrder: [Named(Goods.hat)]) { _ in answers += 1 }
        bench.launchWithoutObserver()
        #expect(order() == [] && answers == 0)
    }

    // On the default device, whose queue is the main queue; the products are this test's own.
    @Test func asynchronousPromotionMethodsDoTheSame() async throws {
        let controller = SKProductStorePromotionController.default()
        let product = Named("promotion.asynchronous")
        #expect(try await controller.promotionVisibility(for: product) == .default)
        try await controller.update(promotionVisibility: .hide, for: product)
        #expect(try await controller.promotionVisibility(for: product) == .hide)
        try await controller.update(promotionOrder: [product])
        // The default device sells nothing.
        #expect(try await controller.promotionOrder().isEmpty)
    }
}
