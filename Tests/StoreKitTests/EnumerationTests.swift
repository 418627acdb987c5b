// Apple's numbers, which apps store and send to their servers.

import Foundation
import StoreKit
import Testing

@Suite struct EnumerationTests {
    @Test(arguments: [(.day, 0), (.week, 1), (.month, 2), (.year, 3)] as [(SKProduct.PeriodUnit, UInt)])
    func periodUnitsHaveApplesRawValues(_ unit: SKProduct.PeriodUnit, _ number: UInt) {
        #expect(unit.rawValue == number)
    }

    @Test(
        arguments: [
            (.payAsYouGo, 0), (.payUpFront, 1), (.freeTrial, 2),
        ] as [(SKProductDiscount.PaymentMode, UInt)])
    func paymentModesHaveApplesRawValues(_ mode: SKProductDiscount.PaymentMode, _ number: UInt) {
        #expect(mode.rawValue == number)
    }

    @Test(arguments: [(.introductory, 0), (.subscription, 1)] as [(SKProductDiscount.`Type`, UInt)])
    func offerTypesHaveApplesRawValues(_ type: SKProductDiscount.`Type`, _ number: UInt) {
        #expect(type.rawValue == number)
    }

    @Test(
        arguments: [
            (.waiting, 0), (.active, 1), (.paused, 2), (.finished, 3), (.failed, 4), (.cancelled, 5),
        ] as [(SKDownloadState, Int)])
    func downloadStatesHaveApplesRawValues(_ state: SKDownloadState, _ number: Int) {
        #expect(state.rawValue == number)
    }

    @Test(arguments: [(.default, 0), (.show, 1), (.hide, 2)] as [(SKProductStorePromotionVisibility, Int)])
    func visibilitiesHaveApplesRawValues(_ visibility: SKProductStorePromotionVisibility, _ number: Int) {
        #expect(visibility.rawValue == number)
    }

    @Test func openEnumerationsHoldUnknownRawValues() {
        #expect(SKProduct.PeriodUnit(rawValue: 77)?.rawValue == 77)
        #expect(SKProductDiscount.PaymentMode(rawValue: 77)?.rawValue == 77)
        #expect(SKProductDiscountType(rawValue: 77)?.rawValue == 77)
    }
}
