// Every metric there is: one name, one kind, one sentence.
// Scenarios, reports, thresholds and `stampede list metrics` all read this table.

/// How a metric is aggregated, and with that which aggregates a threshold may ask for.
package enum MetricKind: String, Sendable, Codable, CaseIterable {
    /// A distribution of durations: `count avg min med max p(N)`.
    case trend
    /// Things that happened: `count rate`.
    case counter
    /// A share of tries that came true: `rate`.
    case rate
    /// A level: `value min max`.
    case gauge
}

package enum MetricUnit: String, Sendable, Codable {
    /// Nanoseconds inside the program; thresholds without a unit mean milliseconds.
    case time
    case bytes
    case none
}

/// The raw value is dense, so that tables of metrics can be arrays.
package enum MetricName: Int, Sendable, CaseIterable, Codable {
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
    case cpuPressure
    case cpuSteal

    /// The name that scenarios and reports use.
    package var name: String { Self.table[rawValue].name }
    package var kind: MetricKind { Self.table[rawValue].kind }
    package var unit: MetricUnit { Self.table[rawValue].unit }
    package var meaning: String { Self.table[rawValue].meaning }
    /// What the stage is, of a stage of a purchase.
    package var stageMeaning: String? { Self.table[rawValue].stageMeaning }
    /// Measured in real time or real memory even under the virtual clock: differs between two runs of one seed.
    package var dependsOnHost: Bool { Self.table[rawValue].dependsOnHost }

    /// Nil for a name that is no metric's.
    package init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    package init(from decoder: any Decoder) throws {
        self = try decoder.sound(MetricName(name: String(from: decoder)))
    }

    /// By its name: the raw value changes when a metric is added.
    package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

    private struct Row {
        let name: String
        let kind: MetricKind
        let unit: MetricUnit
        let dependsOnHost: Bool
        let meaning: String
        let stageMeaning: String?

        init(_ name: String, stage meaning: String) {
            self.init(name, .trend, .time, "Stage of a purchase: " + meaning, stage: meaning)
        }

        init(
            _ name: String, _ kind: MetricKind, _ unit: MetricUnit, host: Bool = false, _ meaning: String,
            stage: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.unit = unit
            dependsOnHost = host
            self.meaning = meaning
            stageMeaning = stage
        }
    }

    // In the order of the cases; a test compares the two.
    private static let table: [Row] = [
        Row(
            "products_fetch_duration", .trend, .time,
            "From the user asking for the products to the app showing them."),
        Row(
            "purchase_duration", .trend, .time,
            "From the payment added to the queue to its final callback, the buyer's decision included."),
        Row(
            "purchase_sending",
            stage: "from the payment added to the store having it; tries that it did not take included."),
        Row(
            "purchase_processing",
            stage: "in the store's queue and in its work, the buyer's decision apart."),
        Row(
            "purchase_deciding",
            stage: "the payment sheet is up, and the buyer decides."),
        Row(
            "purchase_receiving",
            stage: "from the store's answer to the final callback."),
        Row(
            "authorization_duration", .trend, .time,
            "The buyer's part of a purchase: from the payment sheet to the decision."),
        Row(
            "goods_duration", .trend, .time,
            "From the user asking to buy to the goods being durable on the device."),
        Row(
            "delivery_duration", .trend, .time,
            "From the callback that says purchased to the call of finishTransaction."),
        Row(
            "finish_duration", .trend, .time,
            "From the call of finishTransaction to the callback that says removed."),
        Row(
            "redelivery_delay", .trend, .time,
            "From a launch to an unfinished transaction of an earlier launch being seen again."),
        Row(
            "restore_duration", .trend, .time,
            "From the user asking to restore to the app's answer."),
        Row(
            "approval_wait", .trend, .time,
            "From the callback that says deferred to the one that says what became of the purchase."),
        Row(
            "interruption_wait", .trend, .time,
            "From a purchase being interrupted to its completion, after the buyer has mended the account."),
        Row(
            "validation_duration", .trend, .time,
            "From the receipt sent to the validator to its answer; tries that fail are not counted."),
        Row(
            "launch_duration", .trend, .time,
            "From the start of a launch to its return. Wall clock only."),
        Row(
            "observer_callback_time", .trend, .time, host: true,
            "Real time the client spent inside one observer callback."),
        Row(
            "main_queue_wait", .trend, .time, host: true,
            "How long an event that was due waited for its device's main queue. Wall clock only."),
        Row(
            "schedule_lag", .trend, .time, host: true,
            "How late the harness itself ran a timed event. Wall clock only."),
        Row(
            "launches", .counter, .none,
            "Launches of the app, relaunches included."),
        Row(
            "products_fetches", .counter, .none,
            "Product fetches asked for."),
        Row(
            "purchases", .counter, .none,
            "Purchases that were charged."),
        Row(
            "purchases_failed", .counter, .none,
            "Purchases that ended without a charge, cancels included."),
        Row(
            "restores", .counter, .none,
            "Restores asked for."),
        Row(
            "redeliveries", .counter, .none,
            "Transactions delivered again in a later launch."),
        Row(
            "deliveries", .counter, .none,
            "Transactions that an observer was told of as purchased or restored."),
        Row(
            "crashes", .counter, .none,
            "Crashes of the app."),
        Row(
            "requests", .counter, .none,
            "Requests that devices sent to the App Store."),
        Row(
            "requests_failed", .counter, .none,
            "Requests that were lost, refused or answered with an error."),
        Row(
            "iterations", .counter, .none,
            "Journeys begun."),
        Row(
            "interrupted_iterations", .counter, .none,
            "Journeys that were broken off, because the graceful stop of their load entry had passed."),
        Row(
            "dropped_iterations", .counter, .none,
            "Journeys that were due and could not begin, because no user was free in time."),
        Row(
            "unexpected_steps", .counter, .none,
            "Steps whose outcome stayed unknown."),
        Row(
            "faults", .counter, .none,
            "Faults made to happen; by kind with faults{kind:...}."),
        Row(
            "violations", .counter, .none,
            "Violations that the audit found; by rule with violations{rule:...}."),
        Row(
            "purchase_success", .rate, .none,
            "Share of purchases asked for that the app answered with purchased."),
        Row(
            "restore_success", .rate, .none,
            "Share of restores asked for that the app answered without an error."),
        Row(
            "expectations", .rate, .none,
            "Share of expect steps that held."),
        Row(
            "users_active", .gauge, .none,
            "Users at their journeys: on average over the run, and in the emptiest and the fullest interval."),
        Row(
            "store_queue_depth", .gauge, .none,
            "Requests that wait for one of the store's workers, likewise. Only of a store with a capacity."),
        Row(
            "memory_allocated", .gauge, .bytes, host: true,
            "Bytes that the allocator has handed out, at their peak."),
        Row(
            "memory_resident", .gauge, .bytes, host: true,
            "Bytes of memory resident in the process, at their peak."),
        Row(
            "memory_per_user", .gauge, .bytes, host: true,
            "Peak of allocated bytes above the level before the run, per simulated user in flight."),
        Row(
            "bytes_per_purchase", .gauge, .bytes, host: true,
            "Bytes allocated for each purchase. Virtual clock only."),
        Row(
            "allocations_per_purchase", .gauge, .none, host: true,
            "Allocations made for each purchase. Virtual clock only; repeatable to a fraction of a percent."),
        Row(
            "memory_growth_per_user", .gauge, .bytes, host: true,
            "Bytes still held after a user has been judged, a slope over half of the run. Virtual clock only."),
        Row(
            "cpu_pressure", .gauge, .none, host: true,
            "Share of the run, from 0 to 1, in which something on this machine waited for a processor."),
        Row(
            "cpu_steal", .gauge, .none, host: true,
            "Share of the processors' time, from 0 to 1, that a hypervisor gave to others."),
    ]
}
