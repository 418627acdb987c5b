// R52: a subscription that becomes dearer.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct PriceRulesTests {
    private func dearer(
        consent: Share = .all, attendant: Attendant?, launchesLater: Bool = false
    ) -> TestDevice {
        let bench = TestDevice.inServices {
            $0.own([Services.pro])
            $0.store.priceIncreaseAt = .start + .hours(1)
            $0.buyers.subscriptions.consent = consent
        }
        func open() {
            bench.launchWithoutObserver()
            bench.queue.delegate = attendant
            if let attendant { bench.queue.add(attendant) } else { bench.keepObserving() }
        }
        if !launchesLater { open() }
        bench.run(for: .hours(2))
        if launchesLater { open() }
        bench.runUntilQuiet()
        return bench
    }

    /// Whether the subscription was renewed when its period was over.
    private func isRenewed(_ bench: TestDevice) -> Bool {
        bench.run(for: Services.month)
        return bench.charges() == 2
    }

    // R52: asked while the app runs, and when the first observer comes.
    @Test(arguments: [false, true])
    func appIsAskedBeforeThePriceConsentSheet(_ launchesLater: Bool) {
        let attendant = Attendant()
        let bench = dearer(attendant: attendant, launchesLater: launchesLater)
        #expect(attendant.heard == ["consent"])
        #expect(isRenewed(bench))
    }

    // R52
    @Test func missingDelegateShowsThePriceConsentSheet() { #expect(isRenewed(dearer(attendant: nil))) }

    // R52: without consent it expires.
    @Test func subscriptionWithoutPriceConsentIsNotRenewed() {
        #expect(!isRenewed(dearer(consent: .none, attendant: nil)))
    }

    // R52: an app that says no is asked again at each return to the foreground, and shows the sheet when it likes.
    @Test(arguments: [false, true])
    func appMayShowThePriceConsentSheetLater(_ showsIt: Bool) {
        let attendant = Attendant()
        attendant.answer = false
        let bench = dearer(attendant: attendant)
        for count in 2...4 {
            bench.device.enterBackground()
            bench.device.enterForeground()
            bench.runUntilQuiet()
            #expect(attendant.heard.count == count)
        }
        if showsIt { bench.queue.showPriceConsentIfNeeded() }
        bench.runUntilQuiet()
        #expect(isRenewed(bench) == showsIt)
    }

    // R52
    @Test func subscriberWhoConsentedIsNotAskedAgain() {
        let attendant = Attendant()
        let bench = dearer(attendant: attendant)
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.runUntilQuiet()
        #expect(attendant.heard == ["consent"])
    }
}
