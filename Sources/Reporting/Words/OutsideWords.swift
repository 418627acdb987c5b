// What is said of things that client code used and no device has of its own.
// Constants; any thread.

import Simulation

enum OutsideWords {
    /// What was used, how often, and what to do about it.
    static func sentence(_ use: OutsideUse.Use) -> String {
        let names = use.names.sorted().joined(separator: ", ")
        let isOne = use.count == 1
        switch use.kind {
        case .server:
            return
                "\(isOne ? "1 request went" : "\(use.count) requests went") to servers that the scenario does not know, "
                + "and found nobody there: \(names). What they answer is written under `http:` in the scenario."
        case .file:
            return
                "\(isOne ? "1 change was" : "\(use.count) changes were") made to files outside the app's home, which all "
                + "devices share: \(names). FileManager's folders and relative paths are each device's own."
        case .program:
            return
                "\(isOne ? "Once" : "\(use.count) times") the app started another program, which no device has: \(names). "
                + "It runs on this machine, in real time."
        case .connection:
            return "\(isOne ? "1 connection was" : "\(use.count) connections were") opened past the simulated network: "
                + "\(names). What URLSession and libcurl ask for goes to the servers under `http:` in the scenario."
        }
    }
}
