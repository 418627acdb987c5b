// What was meant to fail, and when.
// Pure; any thread.

import ReportModel

extension Report.FaultWindow {
    /// `store, 10s to 15s: every request fails`
    package var sentence: String {
        let who = place == .store ? "store" : "validator"
        let what =
            switch answer {
            case .error: "every request fails"
            case .timeout: "no request is answered"
            case .slow: "every answer is late by \(HumanNumbers.duration(nanoseconds: Double(slowByNs ?? 0)))"
            }
        let times = [startNs, endNs].map(HumanNumbers.roundDuration)
        return "\(who), \(times[0]) to \(times[1]): \(what)"
    }
}
