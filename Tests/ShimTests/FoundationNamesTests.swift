// What `import Foundation` brings on Apple's systems: sessions, and how long a subscription lasts. This file imports nothing
// else for them.

import Foundation
import StoreKit
import Testing

/// As paywalls count down.
private func countdown(_ change: (DateComponentsFormatter) -> Void) -> DateComponentsFormatter {
    let formatter = DateComponentsFormatter()
    formatter.allowedUnits = [.hour, .minute, .second]
    change(formatter)
    return formatter
}

@Suite struct FoundationNamesTests {
    @Test func componentsFormatterSpellsOutPeriods() {
        func words(_ unit: NSCalendar.Unit, _ components: DateComponents) -> String? {
            let formatter = DateComponentsFormatter()
            formatter.unitsStyle = .full
            formatter.allowedUnits = [unit]
            return formatter.string(from: components)
        }
        #expect(words(.month, DateComponents(month: 1)) == "1 month")
        #expect(words(.month, DateComponents(month: 6)) == "6 months")
        #expect(words(.year, DateComponents(year: 1)) == "1 year")
        #expect(words(.weekOfMonth, DateComponents(weekOfMonth: 2)) == "2 weeks")
        #expect(words(.day, DateComponents(day: 14)) == "14 days")
        #expect(words(.day, DateComponents(weekOfMonth: 1)) == "7 days")
        #expect(
            DateComponentsFormatter.localizedString(from: DateComponents(month: 3), unitsStyle: .spellOut)
                == "three months")
    }

    @Test(arguments: [
        (DateComponentsFormatter.UnitsStyle.positional, "1:06:07"), (.abbreviated, "1h 6m 7s"),
        (.short, "1 hr, 6 min, 7 sec"), (.full, "1 hour, 6 minutes, 7 seconds"), (.brief, "1hr 6min 7sec"),
        (.spellOut, "one hour, six minutes, seven seconds"),
    ])
    func componentsFormatterHasEveryUnitsStyle(style: DateComponentsFormatter.UnitsStyle, text: String) {
        #expect(countdown { $0.unitsStyle = style }.string(from: 3_967) == text)
    }

    @Test func componentsFormatterPadsZerosAsSet() {
        #expect(countdown { _ in }.string(from: 7) == "0:07")
        #expect(countdown { $0.zeroFormattingBehavior = .pad }.string(from: 7) == "00:00:07")
        #expect(countdown { $0.unitsStyle = .full }.string(from: 3_600) == "1 hour")
        #expect(countdown { $0.unitsStyle = .full }.string(from: 0) == "0 seconds")
        #expect(
            countdown {
                $0.unitsStyle = .abbreviated
                $0.maximumUnitCount = 1
                $0.includesTimeRemainingPhrase = true
                $0.includesApproximationPhrase = true
            }.string(from: 7_500) == "About 2h remaining")
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let days = DateComponentsFormatter()
        days.allowedUnits = [.day]
        days.unitsStyle = .full
        #expect(days.string(from: start, to: start.addingTimeInterval(3 * 86_400 + 60)) == "3 days")
    }

    @Test func foundationBringsURLSession() throws {
        var request = URLRequest(url: try #require(URL(string: "https://shop.example/verify")))
        request.httpMethod = "POST"
        let task = URLSession(configuration: .ephemeral).dataTask(with: request) { _, response, _ in
            _ = (response as? HTTPURLResponse)?.statusCode
        }
        #expect(task.state == .suspended)
        task.cancel()
    }
}
