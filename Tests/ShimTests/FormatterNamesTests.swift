// Members of formatters that change nothing here, as purchase code sets them. This file imports nothing else for them.

import Foundation
import StoreKit
import Testing

@Suite struct FormatterNamesTests {
    @Test func numberFormatterKeepsItsBehaviour() {
        let formatter = NumberFormatter()
        #expect(formatter.formatterBehavior == .behavior10_4)
        formatter.formatterBehavior = .default
        #expect(formatter.formatterBehavior == .default && NumberFormatter().formatterBehavior == .behavior10_4)
        #expect(NumberFormatter.Behavior.behavior10_4.rawValue == 1040)
    }

    @Test func dateFormatterKeepsItsBehaviour() {
        let formatter = DateFormatter()
        #expect(formatter.formatterBehavior == .behavior10_4)
        formatter.formatterBehavior = .default
        #expect(formatter.formatterBehavior == .default && DateFormatter().formatterBehavior == .behavior10_4)
    }

    // As the helpers of 2012 write it, and those that were copied from them.
    @Test func formatterBehaviorDoesNotChangeThePrice() {
        let formatter = NumberFormatter()
        formatter.formatterBehavior = .behavior10_4
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: NSDecimalNumber(string: "1.99")) == "$1.99")
    }

    @Test func formattingContextDoesNotChangeThePeriod() {
        let formatter = DateComponentsFormatter()
        #expect(formatter.formattingContext == .unknown)
        formatter.unitsStyle = .full
        formatter.formattingContext = .beginningOfSentence
        #expect(formatter.formattingContext == .beginningOfSentence)
        #expect(formatter.string(from: DateComponents(month: 1)) == "1 month")
    }
}
