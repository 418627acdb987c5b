// Every metric, and its attributes. Display, selection, comparison and merging of metrics read this table;
// how a metric is measured stands where it is measured.

/// The raw value is dense, so that tables of metrics can be arrays.
package enum MetricName: Int, Sendable, CaseIterable {
    case productsFetchDuration
    case purchaseDuration
    case purchaseSending
    case purchaseProcessing
    case purchaseDeciding
    case purchaseReceiving
    case authorizationDuration
    case goodsDuration
    case deliveryDuration
    case finishDuration
    case redeliveryDelay
    case restoreDuration
    case answerDelay
    case approvalWait
    case interruptionWait
    case validationDuration
    case launchDuration
    case observerCallbackTime
    case mainQueueWait
    case scheduleLag
    case launches
    case productsFetches
    case purchases
    case purchasesFailed
    case restores
    case redeliveries
    case deliveries
    case crashes
    case requests
    case requestsFailed
    case iterations
    case interruptedIterations
    case droppedIterations
    case unexpectedSteps
    case faults
    case violations
    case warnings
    case purchaseSuccess
    case restoreSuccess
    case expectations
    case usersActive
    case storeQueueDepth
    case memoryAllocated
    case memoryResident
    case memoryPerUser
    case bytesPerPurchase
    case allocationsPerPurchase
    case memoryGrowthPerUser
    case memoryLeftPerLaunch
    case cpuPressure
    case cpuSteal

    /// By case, in the order of the cases. A test holds the two together.
    static let rows: [MetricName: MetricRow] = [
        .productsFetchDuration: MetricRow(
            .trend, "products_fetch_duration", "Time from the user's request for products until the app shows them.",
            of: .device, labels: [.answer], windows: true, live: true, percentiles: 4),
        .purchaseDuration: MetricRow(
            .trend, "purchase_duration",
            "Time from adding the payment to the queue to its final callback, including the buyer's decision.",
            of: .product, labels: [.outcome, .answer], windows: true, live: true, percentiles: 1),
        .purchaseSending: .stage(
            "purchase_sending", "sending",
            "from adding the payment until the store has received it, including attempts that failed."),
        .purchaseProcessing: .stage(
            "purchase_processing", "processing",
            "waiting and processing in the store, without the buyer's decision."),
        .purchaseDeciding: .stage(
            "purchase_deciding", "deciding", "the payment sheet is shown and the buyer decides."),
        .purchaseReceiving: .stage(
            "purchase_receiving", "receiving", "from the store's answer to the final callback."),
        .authorizationDuration: MetricRow(
            .trend, "authorization_duration",
            "Time the buyer takes, from the payment sheet to the decision.", of: .product, windows: true),
        .goodsDuration: MetricRow(
            .trend, "goods_duration",
            "Time from the user's purchase request until the goods are durable on the device.",
            of: .product, windows: true, percentiles: 2),
        .deliveryDuration: MetricRow(
            .trend, "delivery_duration", "Time from the purchased callback to the call of finishTransaction.",
            of: .product, windows: true, live: true),
        .finishDuration: MetricRow(
            .trend, "finish_duration", "Time from the call of finishTransaction to the removed callback.",
            of: .product, windows: true, live: true),
        .redeliveryDelay: MetricRow(
            .trend, "redelivery_delay",
            "Time from a launch until StoreKit delivers an unfinished transaction of an earlier launch again.",
            of: .product, windows: true, live: true, percentiles: 5),
        .restoreDuration: MetricRow(
            .trend, "restore_duration", "Time from the user's restore request to the app's answer.",
            of: .device, labels: [.answer], windows: true, live: true, percentiles: 3),
        .answerDelay: MetricRow(
            .trend, "answer_delay",
            "Time from the callback that decided a request last to the app's answer; requests answered without a callback "
                + "are not counted.", of: .product, windows: true),
        .approvalWait: MetricRow(
            .trend, "approval_wait",
            "Time from the deferred callback to the callback with the purchase's outcome.", of: .product),
        .interruptionWait: MetricRow(
            .trend, "interruption_wait",
            "Time from a purchase's interruption to its completion, after the buyer has fixed the account.",
            of: .product),
        .validationDuration: MetricRow(
            .trend, "validation_duration",
            "Time from sending the receipt to the validator's answer; failed attempts are not counted.",
            of: .device, windows: true, live: true, percentiles: 6),
        .launchDuration: MetricRow(
            .trend, "launch_duration", "Time from the start of a launch to its return.", of: .user, only: .wallClock),
        .observerCallbackTime: MetricRow(
            .trend, "observer_callback_time", "Real time the client spent in one observer callback.",
            of: .device, from: .machine),
        .mainQueueWait: MetricRow(
            .trend, "main_queue_wait", "How long a due event waited for its device's main queue.",
            of: .run, from: .machine, only: .wallClock),
        .scheduleLag: MetricRow(
            .trend, "schedule_lag", "How late the harness itself ran a timed event.",
            of: .run, from: .machine, only: .wallClock),
        .launches: MetricRow(
            .counter, "launches", "Launches of the app, relaunches included.", of: .device, windows: true, live: true,
            plot: MetricPlot(title: "Launches", place: 8, tone: .event)),
        .productsFetches: MetricRow(
            .counter, "products_fetches", "Requested product fetches.", of: .device, windows: true, live: true,
            plot: MetricPlot(title: "Product fetches", place: 6, tone: .event)),
        .purchases: MetricRow(
            .counter, "purchases", "Purchases that were charged.", of: .product, windows: true,
            plot: MetricPlot(title: "Purchases", place: 3, tone: .event)),
        .purchasesFailed: MetricRow(
            .counter, "purchases_failed",
            "Purchases that StoreKit reported to the app as failed, including cancellations; by error and by stage.",
            of: .product, labels: [.code, .stage], windows: true, live: true,
            plot: MetricPlot(title: "Failed purchases", place: 4, tone: .trouble)),
        .restores: MetricRow(
            .counter, "restores", "Requested restores.", of: .device, windows: true, live: true,
            plot: MetricPlot(title: "Restores", place: 7, tone: .event)),
        .redeliveries: MetricRow(
            .counter, "redeliveries", "Transactions delivered again in a later launch.",
            of: .product, windows: true, live: true, plot: MetricPlot(title: "Redeliveries", place: 10, tone: .event)),
        .deliveries: MetricRow(
            .counter, "deliveries", "Transactions that StoreKit delivered to an observer as purchased or restored.",
            of: .product, windows: true, live: true),
        .crashes: MetricRow(
            .counter, "crashes", "Crashes of the app.", of: .device, windows: true, live: true,
            plot: MetricPlot(title: "Crashes", place: 9, tone: .trouble)),
        .requests: MetricRow(.counter, "requests", "Requests that devices sent to the App Store.", of: .device),
        .requestsFailed: MetricRow(
            .counter, "requests_failed", "Requests that were lost, refused or answered with an error.",
            of: .device, windows: true, direction: .lowerIsBetter,
            plot: MetricPlot(title: "Failed requests", place: 5, tone: .trouble)),
        .iterations: MetricRow(.counter, "iterations", "Started journeys.", of: .user),
        .interruptedIterations: MetricRow(
            .counter, "interrupted_iterations",
            "Journeys that were cut off: the graceful stop of their load entry had passed, the run stopped early, or the "
                + "user gave up on an app that no longer worked.", of: .user),
        .droppedIterations: MetricRow(
            .counter, "dropped_iterations",
            "Journeys that did not start because no user was free in time.",
            of: .user, grows: false, direction: .lowerIsBetter),
        .unexpectedSteps: MetricRow(
            .counter, "unexpected_steps", "Steps with an unknown outcome.", of: .user, direction: .lowerIsBetter),
        .faults: MetricRow(
            .counter, "faults", "Injected faults; by kind with faults{kind:...}.", of: .device, labels: [.kind]),
        .violations: MetricRow(
            .counter, "violations", "Violations that the audit found; by rule with violations{rule:...}.",
            of: .product, labels: [.rule], windows: true, grows: false, direction: .lowerIsBetter,
            plot: MetricPlot(title: "Violations", place: 2, tone: .trouble)),
        .warnings: MetricRow(
            .counter, "warnings", "Warnings of the audit; by rule with warnings{rule:...}.", of: .product,
            labels: [.rule],
            windows: true, grows: false, direction: .neutral),
        .purchaseSuccess: MetricRow(
            .rate, "purchase_success", "Share of requested purchases that the app answered with purchased.",
            of: .product, windows: true, live: true),
        .restoreSuccess: MetricRow(
            .rate, "restore_success", "Share of requested restores that the app answered without an error.",
            of: .device, windows: true, live: true),
        .expectations: MetricRow(.rate, "expectations", "Share of expect steps that held.", of: .user),
        .usersActive: MetricRow(
            .gauge, "users_active",
            "Users in a journey: average over the run, and over the emptiest and the fullest interval.",
            of: .run, direction: .neutral, plot: MetricPlot(title: "Active users", place: 0, tone: .users)),
        .storeQueueDepth: MetricRow(
            .gauge, "store_queue_depth",
            "Requests that wait for a store worker: average over the run, and over the emptiest and the fullest interval.",
            of: .run, only: .storeCapacity,
            plot: MetricPlot(title: "Requests waiting for the store", place: 1, tone: .waiting)),
        .memoryAllocated: MetricRow(
            .gauge, "memory_allocated", "Peak of the bytes that the allocator has handed out.",
            in: .bytes, of: .run, from: .machine),
        .memoryResident: MetricRow(
            .gauge, "memory_resident", "Peak of the process's resident memory in bytes.",
            in: .bytes, of: .run, from: .machine),
        .memoryPerUser: MetricRow(
            .gauge, "memory_per_user",
            "Peak of allocated bytes above the level before the run, per simulated user in flight.",
            in: .bytes, of: .run, from: .machine),
        .bytesPerPurchase: MetricRow(
            .gauge, "bytes_per_purchase", "Bytes allocated for each purchase.",
            in: .bytes, of: .run, from: .allocations, only: .virtualClock),
        .allocationsPerPurchase: MetricRow(
            .gauge, "allocations_per_purchase", "Allocations made for each purchase.",
            of: .run, from: .allocations, only: .virtualClock, remark: "repeatable to a fraction of a percent"),
        .memoryGrowthPerUser: MetricRow(
            .gauge, "memory_growth_per_user",
            "Bytes still allocated after a user has been judged: a slope over half of the run.",
            in: .bytes, of: .run, from: .machine, only: .virtualClock, slope: true),
        .memoryLeftPerLaunch: MetricRow(
            .gauge, "memory_left_per_launch",
            "Bytes that ended apps leave behind per launch: a slope over half of the run.",
            in: .bytes, of: .run, from: .machine, only: .virtualClock, slope: true),
        .cpuPressure: MetricRow(
            .gauge, "cpu_pressure",
            "Share of the run, from 0 to 1, in which a task on this machine waited for a processor.",
            of: .run, from: .machine, direction: .neutral),
        .cpuSteal: MetricRow(
            .gauge, "cpu_steal", "Share of the processors' time, from 0 to 1, that a hypervisor gave to other guests.",
            of: .run, from: .machine, direction: .neutral),
    ]
}

extension MetricName {
    /// All that is said of it.
    package var row: MetricRow { Self.table[rawValue] }

    private static let table: [MetricRow] = allCases.map { metric in
        guard let row = rows[metric] else { preconditionFailure("\(metric) has no row") }
        return row
    }

    /// The name that scenarios and reports use.
    package var name: String { row.name }
    package var kind: MetricKind { row.kind }
    package var unit: MetricUnit { row.unit }
    package var meaning: String { row.meaning }
    /// Measured in real time or real memory even under the virtual clock: differs between two runs of one seed.
    package var dependsOnHost: Bool { row.source != .simulation }

    /// The names of the tags that a threshold may select this metric by, besides a scenario's own, which go where
    /// `phase` goes.
    package var tagNames: [String] { row.labels.map(\.rawValue) + row.subject.tagNames + ["client"] }

    /// Those that have a place in some order, in that order.
    package static func ordered(by place: (MetricRow) -> Int?) -> [MetricName] {
        allCases.compactMap { metric in place(metric.row).map { (place: $0, metric: metric) } }
            .sorted { $0.place < $1.place }.map(\.metric)
    }

    /// Nil for a name that is no metric's.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

extension MetricName: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.sound(MetricName(name: String(from: decoder)))
    }

    /// By its name: the raw value changes when a metric is added.
    package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
