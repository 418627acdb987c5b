// `network`, `app`, `validator`: what surrounds an app.
// Constants; any thread.

import Simulation
import Text

extension KeySection<LinkConditions> {
    static let network = KeySection(
        "network", LinkConditions(),
        [
            .durations(
                "latency", \.latency, "Time of one message between a device and a server, one way.",
                drawing: .lasting(.message))
        ] + faultShares + [
            .section(.offline, \.offline, "Periods in which a device has no network."),
            .duration(
                "request_timeout", \.requestTimeout,
                "How long a device waits for an answer before the request times out.",
                zero: .refused, drawing: .lasting(.message)),
        ])

    /// What happens to messages: the table says what, and calls it.
    private static let faultShares: [ScenarioKey<LinkConditions>] = FaultKind.ofWire.map { fault in
        .share(fault.keyName, \.[fault], fault.wire.meaning, drawing: .shares([1, 5, 20, 40]))
    }
}

extension KeySection<OfflineSpells> {
    static let offline = KeySection(
        "network.offline", OfflineSpells(share: .none, duration: .constant(0)),
        [
            .value(
                KeyFacts(
                    "share", .reference("share"), "share",
                    "Share of time in which a device is offline. Less than 100%.", required: true,
                    drawing: .shares([2, 10, 40]), example: "1%"), \.share
            ) { reader, node, path in
                let share = reader.share(node, path)
                guard share == .all else { return share }
                reader.report(
                    node.position, "a device that is always offline can do nothing", hint: "write less than 100%")
                return nil
            },
            .value(
                KeyFacts(
                    "for", .reference("durations"), "durations", "How long a device stays offline.", required: true,
                    drawing: .lasting(.spell), example: "30s"), \.duration
            ) { reader, node, path in
                let duration = reader.spans(node, path)
                guard let mean = duration?.mean, mean <= 0 else { return duration }
                reader.report(
                    node.position, "offline periods have no length", hint: "write a time longer than zero")
                return nil
            },
        ])
}

extension KeySection<AppConditions> {
    static let app = KeySection(
        "app", AppConditions(),
        [
            .duration(
                "flush_delay", \.flushDelay, "How long after a write to the defaults a crash can still lose it.",
                drawing: .lasting(.moment)),
            .durations("relaunch_after", \.relaunchAfter, "Time from a crash to the user's next launch."),
            .duration(
                "patience", \.patience, "How long a user waits for the app before the user does something else.",
                zero: .refused),
            .duration(
                "main_queue_limit", \.mainQueueLimit,
                "On the wall clock: how long one call into the client may block the main queue.", zero: .refused,
                drawing: .leftOut("of the wall clock")),
            .duration(
                "hang_limit", \.hangLimit,
                "In real time: a call into the client that takes longer counts as a hang and ends the app.",
                zero: .refused,
                drawing: .leftOut("of the wall clock")),
            .bytes(
                "memory_limit", \.memoryLimit,
                "How much memory an app may use before the system ends it.",
                drawing: .leftOut("no more than a bound")),
            .count(
                "crash_limit", \.crashLimit, in: 1...1_000,
                "How many different places in its code the client may crash at before the run ends early.",
                drawing: .leftOut("no more than a bound")),
        ])
}

extension KeySection<ServerConditions> {
    static let validator = KeySection(
        "validator", ServerConditions(),
        [
            .durations("latency", \.latency, "How long the validator takes to answer.", drawing: .lasting(.message)),
            .outages("outages", \.outages, "When the validator fails, from the start of the run."),
            .share("errors", \.errors, "Share of requests that the validator fails."),
        ])
}
