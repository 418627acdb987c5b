// What is known of a run while it goes on.
// Pure; any thread.

package import Engine

extension ExportedMetric {
    /// What a run has come to so far. The names begin with another word than those of the report, which counts more
    /// exactly and says so at the end alone.
    package static func progress(of run: ExportedRun, _ now: RunBoard.Snapshot, users: Int) -> [ExportedMetric] {
        func counter(_ name: String, _ help: String, _ count: Int) -> ExportedMetric {
            ExportedMetric("progress_" + name, .counter, .none, help, .count(count))
        }
        var metrics = [
            ExportedMetric(
                "run_start_time", .gauge, .seconds, "When the run started, in seconds since 1970.",
                .nanoseconds(run.startNanoseconds)),
            ExportedMetric("progress_users_planned", .gauge, .none, "Users in the run.", .count(users)),
            counter("users_judged", "Users that have been judged.", now.usersDone),
            counter("purchases", "Purchases that ended, of judged users.", now.purchases),
            counter("violations", "Violations found, of judged users.", now.violations),
            counter("crashes", "Crashes of the app, of judged users.", now.crashes),
        ]
        if let active = now.usersActive {
            metrics.append(
                ExportedMetric(
                    "progress_users_active", .gauge, .none, "Users in a journey.", .count(active)))
        }
        if let p95 = now.purchaseP95 {
            metrics.append(
                ExportedMetric(
                    "progress_purchase_duration_p95", .gauge, .seconds,
                    "95th percentile of the purchase durations so far.", .nanoseconds(p95)))
        }
        return metrics
    }
}
