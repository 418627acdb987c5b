// A run as it was asked for: all that its findings depend on, so that another process does the same, or knows that it does not.
// Plain values; any thread.

import ClientKit
package import Engine
import Files
import Foundation
import ReportModel
import Scenario
import Simulation
import Statics

package struct PlannedRun: Codable, Sendable, Equatable {
    /// As the command line named it.
    package var file: String
    package var source: String
    /// The text of its catalog; nil where it came from no file.
    package var catalog: String?
    package var seed: UInt64
    package var clock: String
    package var client: String
    package var clientOptions: [String: String]
    package var population: Int
    /// The population asked for on the command line, if it was.
    package var usersOption: Int?
    package var tags: [String: String]
    package var keepsOperations: Bool
    package var ignoresSaturation: Bool
    /// Whether warnings fail it too.
    package var isStrict: Bool
    /// What the program is called in the commands that a report gives.
    package var command: String
    /// The part that is done; nil: all of it.
    package var shard: Shard?
    package var version: String
    /// Which build of the program it was: a sum over its files.
    package var build: String

    package init(
        _ options: RunOptions, usersOption: Int?, tags: [String: String], keepsOperations: Bool,
        ignoresSaturation: Bool, build: String
    ) {
        let scenario = options.scenario
        (file, source, catalog) = (scenario.path, scenario.source, scenario.store.catalog.source)
        (seed, clock, population) = (scenario.seed, scenario.clock.rawValue, scenario.population.users)
        (client, clientOptions) = (options.client.name, options.clientOptions)
        (self.usersOption, self.tags, self.keepsOperations) = (usersOption, tags, keepsOperations)
        (self.ignoresSaturation, self.build) = (ignoresSaturation, build)
        isStrict = scenario.audit.isStrict
        (shard, version, command) = (options.shard, StampedeVersion.current, CommandName.words)
    }

    /// What all parts of the run have in common, as sixteen digits.
    package var digest: String {
        var whole = self
        whole.shard = nil
        // Texts and numbers always have an encoding.
        let text = (try? ReportJSON.encode(whole)) ?? Data()
        var sum = Checksum()
        sum.add(text)
        sum.add("\(shard?.count ?? 1)".utf8)
        return sum.digits
    }

    /// What this run has otherwise than another one; empty where they are parts of one.
    package func differences(from other: PlannedRun) -> [PlanDifference] {
        func unequal<Fact: Equatable>(_ what: String, _ fact: (PlannedRun) -> Fact) -> PlanDifference? {
            fact(self) == fact(other) ? nil : PlanDifference(what: what, theirs: nil, first: nil)
        }
        return [
            PlanDifference("scenario", file, other.file), unequal("text of the scenario", \.source),
            unequal("text of the catalog", \.catalog), PlanDifference("seed", seed, other.seed),
            PlanDifference("clock", clock, other.clock), PlanDifference("client", client, other.client),
            unequal("set of client options", \.clientOptions),
            PlanDifference("population", population, other.population),
            unequal("option --users", \.usersOption), unequal("set of tags", \.tags),
            unequal("option --operations", \.keepsOperations),
            unequal("option --ignore-saturation", \.ignoresSaturation), unequal("option --strict", \.isStrict),
            PlanDifference("name of the program", command, other.command),
            PlanDifference("number of parts", shard?.count ?? 1, other.shard?.count ?? 1),
            unequal("version", \.version), unequal("build", \.build),
        ].compactMap(\.self)
    }
}

/// Which build of this program runs.
package enum BuildIdentity {
    /// Of the program's file and of those that a package has beside it. They are read once, when this is asked for first.
    package static let current: String = {
        let sums = ClientCode.files.map { path in
            // A program whose file is gone is like no other.
            (try? Checksum.ofFile(path)).map(Checksum.digits)
                ?? "unreadable-\(ProcessInfo.processInfo.globallyUniqueString)"
        }
        return sums.joined(separator: "-")
    }()
}
