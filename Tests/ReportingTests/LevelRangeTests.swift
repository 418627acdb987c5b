// The least and the most of levels, as reports print them.

import Metrics
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct LevelRangeTests {
    // The least and the most of users are averages, and none of them was ever 1.65 of a person.
    @Test(arguments: [("users_active", "emptiest interval 1.65"), ("memory_resident", "min 1.65")])
    func emptiestIntervalIsNotCalledAMinimum(name: String, low: String) {
        var metric = ReportMetric(name: name, kind: .gauge, unit: .count)
        (metric.value, metric.min, metric.max) = (4, 1.65, 9)
        #expect(metric.levelRange?.low == low)
    }
}
