// How fast time passes for subscriptions.
// Values; any thread.

import Simulation

extension SKTestSession {
    /// How fast time passes for subscriptions. A month has thirty days.
    public enum TimeRate: Int, Sendable, CaseIterable {
        case realTime = 0

        // Deprecated by Apple: how long a day takes.
        case oneHourIsOneDay = 1
        case thirtyMinutesIsOneDay = 2
        case fiveMinutesIsOneDay = 3
        case oneMinuteIsOneDay = 4
        case thirtySecondsIsOneDay = 5
        case oneSecondIsOneDay = 6

        // How long a month takes.
        case monthlyRenewalEveryHour = 10
        case monthlyRenewalEveryThirtyMinutes = 11
        case monthlyRenewalEveryFifteenMinutes = 12
        case monthlyRenewalEveryFiveMinutes = 13
        case monthlyRenewalEveryThirtySeconds = 15

        // How long every period takes, whatever its length.
        case oneRenewalEveryFifteenMinutes = 1000
        case oneRenewalEveryFiveMinutes = 1001
        case oneRenewalEveryMinute = 1002
        case oneRenewalEveryThirtySeconds = 1003
        case oneRenewalEveryTenSeconds = 1004
        case oneRenewalEveryTwoSeconds = 1005

        init(_ rate: SubscriptionTimeRate) { self = Self.allCases.first { $0.rate == rate } ?? .realTime }

        /// The same rate by the number that configuration files use.
        var rate: SubscriptionTimeRate { SubscriptionTimeRate(number: rawValue) ?? .realTime }
    }
}
