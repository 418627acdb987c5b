// The table of metrics: a row for each case, and columns that agree with each other.

import Testing

@testable import Metrics

@Suite struct MetricTableTests {
    @Test func everyMetricHasTheRowOfItsCase() {
        let missing = MetricName.allCases.filter { MetricName.rows[$0] == nil }
        #expect(missing.isEmpty && MetricName.rows.count == MetricName.allCases.count, "\(missing)")
        for metric in MetricName.allCases {
            let words = MetricName.rows[metric]?.name.split(separator: "_").enumerated() ?? [].enumerated()
            let camel = words.map {
                $0.offset == 0 ? String($0.element) : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
            }
            #expect(camel.joined() == "\(metric)")
            #expect(MetricName(name: metric.name) == metric)
        }
    }

    // A column that does not go with the kind would be read by nobody.
    @Test func metricColumnsFitTheMetricKind() {
        for metric in MetricName.allCases {
            let row = metric.row
            #expect((row.kind == .trend) == (row.unit == .time), "\(metric)")
            #expect(row.unit != .bytes || row.kind == .gauge, "\(metric)")
            #expect(row.percentilePlace == nil || row.kind == .trend, "\(metric)")
            #expect(row.plot == nil || row.kind == .counter || row.kind == .gauge, "\(metric)")
            #expect(!row.isSlopeOverUsers || row.kind == .gauge, "\(metric)")
            // What is counted of itself, and what is timed by how it ended.
            let labels: Set<MetricLabel> = row.kind == .counter ? [.kind, .rule, .code, .stage] : [.outcome, .answer]
            #expect(row.labels.isEmpty || row.kind == .counter || row.kind == .trend, "\(metric)")
            #expect(labels.isSuperset(of: row.labels), "\(metric)")
            #expect(row.stage == nil || row.kind == .trend, "\(metric)")
            // What a journey tells has happened at some time in it.
            #expect(!row.isLive || row.hasWindows, "\(metric)")
            #expect(!row.hasWindows || row.subject != .run, "\(metric)")
            #expect(row.meaning.hasSuffix(".") && row.meaning.first?.isUppercase == true, "\(metric)")
        }
    }

    // Whatever is shown in an order has a place of its own in it.
    @Test func metricPlacesHaveNoGaps() {
        let rows = MetricName.allCases.map(\.row)
        let plots = rows.compactMap(\.plot?.place).sorted()
        #expect(plots == Array(0..<plots.count))
        let curves = rows.compactMap(\.percentilePlace).sorted()
        #expect(curves == Array(1...curves.count))
    }

    @Test func metricTagsFollowFromItsSubject() {
        #expect(MetricName.scheduleLag.tagNames == ["client"])
        #expect(MetricName.iterations.tagNames == ["phase", "journey", "client"])
        #expect(MetricName.faults.tagNames == ["kind", "phase", "journey", "device", "client"])
        #expect(MetricName.purchases.tagNames == ["phase", "journey", "device", "product", "client"])
        #expect(MetricName.violations.tagNames == ["rule", "phase", "journey", "device", "product", "client"])
        #expect(MetricName.purchasesFailed.tagNames.prefix(3) == ["code", "stage", "phase"])
        #expect(MetricName.purchaseDuration.tagNames.prefix(3) == ["outcome", "answer", "phase"])
        #expect(MetricName.restoreDuration.tagNames == ["answer", "phase", "journey", "device", "client"])
        #expect(MetricName.productsFetchDuration.tagNames.first == "answer")
    }

    @Test func metricMeaningEndsWithItsCondition() {
        let ends: [MetricName: String] = [
            .mainQueueWait: " main queue. Wall clock only.", .memoryGrowthPerUser: " run. Virtual clock only.",
            .allocationsPerPurchase: " purchase. Virtual clock only; repeatable to a fraction of a percent.",
            .storeQueueDepth: " fullest interval. Only with a store capacity.", .purchases: "that were charged.",
        ]
        for (metric, end) in ends { #expect(metric.meaning.hasSuffix(end), "\(metric.meaning)") }
    }

    // They add up to a purchase, and its table has a column for each.
    @Test func stageMetricsAreInTheOrderOfTime() {
        #expect(
            PurchaseStages.metrics.compactMap(\.row.stage?.title) == ["sending", "processing", "deciding", "receiving"])
        #expect(PurchaseStages().parts.count == PurchaseStages.metrics.count)
    }

    @Test func metricDirectionFollowsFromItsKind() {
        #expect(MetricName.purchaseDuration.row.direction == .lowerIsBetter)
        #expect(MetricName.launches.row.direction == .neutral)
        #expect(MetricName.requestsFailed.row.direction == .lowerIsBetter)
        #expect(MetricName.expectations.row.direction == .higherIsBetter)
        #expect(MetricName.cpuSteal.row.direction == .neutral)
    }
}
