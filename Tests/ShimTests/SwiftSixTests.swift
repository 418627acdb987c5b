// The same modules from code in Swift 6.

import Foundation
import SixShop
import StandaloneUse
import Testing

@Suite(.aloneOnTheDevice) struct SwiftSixTests {
    @Test func actorReadsTheKeychainAndTheNetwork() async {
        let vault = ReceiptVault()
        let receipt = Data("receipt".utf8)
        #expect(await vault.keep(receipt, for: "latest"))
        #expect(await vault.data(for: "latest") == receipt)
        let isOnline = await withCheckedContinuation { done in
            Task { await vault.follow { done.resume(returning: $0) } }
        }
        #expect(isOnline)
    }

    @MainActor @Test func mainActorControllerReloads() async {
        let controller = PaywallController()
        controller.loadViewIfNeeded()
        controller.reload()
        #expect(controller.isLoading)
        await controller.wait()
        #expect(!controller.isLoading && controller.presentedViewController != nil)
    }
}
