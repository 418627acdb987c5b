// Whether a program's queues, clocks and statics can be each simulated device's own.
// Main thread.

import Engine
import Foundation
import Reporting
import Simulation
import Statics

struct ProgramCheckup {
    /// Nil: there is nothing to find.
    let statics: ClientData?
    let hasOwnClients: Bool

    var checks: [DoctorReport.Check] { [runtime] + staticChecks + [lines, fence].compactMap(\.self) }

    /// Nil where there is nothing to say.
    private var fence: DoctorReport.Check? {
        if WorkerFence.keepsSignals { return nil }
        return DoctorReport.Check(
            .note,
            "This kernel does not keep client code that calls it past the C library from signalling other processes",
            hint: "Linux 6.12 does, with Landlock; `kill` and its like are refused everywhere")
    }

    private var runtime: DoctorReport.Check {
        if AppRuntime.isInForce {
            return DoctorReport.Check(
                .good, "Dispatch, tasks, waits, clocks, files and URLSession are each device's own")
        }
        let reason: String =
            switch statics?.obstacles.first {
            case .staticRuntime: "the program holds Swift's libraries itself: build without -static-stdlib"
            case .sanitizer: "a sanitizer watches the program: build without --sanitize"
            default: "another library stands in front of the system's functions: start it without LD_PRELOAD"
            }
        return DoctorReport.Check(
            .bad, "Dispatch, tasks and clocks are the machine's, because \(reason)",
            hint: "where that cannot be: the file that `stampede glue` prints, and perDevice")
    }

    private var staticChecks: [DoctorReport.Check] {
        guard hasOwnClients else {
            return [DoctorReport.Check(.note, "The program has no clients of its own: those that ship keep no statics")]
        }
        guard let statics else { return [] }
        var checks = statics.obstacles.compactMap(obstacle)
        if statics.variables.isEmpty {
            if checks.isEmpty { checks.append(DoctorReport.Check(.good, "The client's modules keep no static data")) }
        } else {
            checks.append(DoctorReport.Check(.good, "Each device has its own static data of \(Self.owners(statics))"))
            checks.append(
                DoctorReport.Check(
                    .note, "Under the wall clock devices run at once and share it",
                    hint: "for `--clock wall`: make singletons `static var shared: Shop { perDevice { Shop() } }`"))
        }
        return checks
    }

    /// `Shop (12 variables), ShopKit (1 variable)`
    private static func owners(_ statics: ClientData) -> String {
        let counts = Dictionary(grouping: statics.variables, by: \.owner).mapValues(\.count)
        let texts = counts.sorted { $0.key < $1.key }.map { owner, count in
            "\(owner.isEmpty ? "C" : owner) (\(HumanNumbers.quantity(count, "variable")))"
        }
        return HumanNumbers.list(texts)
    }

    private func obstacle(_ obstacle: ClientData.Obstacle) -> DoctorReport.Check? {
        switch obstacle {
        case .stripped(let path):
            DoctorReport.Check(
                .bad, "Devices share static data: \(path) has no symbols",
                hint: "build it without strip and without -s")
        case .unplaced:
            DoctorReport.Check(
                .note,
                "Devices share a variable whose module is unknown" + (obstacle.variableName.map { ": \($0)" } ?? ""),
                hint: "name it in exclude: of Stampede.main(clients:statics:) if that is right")
        // Told with the runtime, which they keep away too.
        case .staticRuntime, .sanitizer: nil
        }
    }

    private var lines: DoctorReport.Check? {
        if Statics.ClientCode.findsLines { return nil }
        return DoctorReport.Check(
            .note, "Findings name functions and no lines: there is no llvm-symbolizer",
            hint: "it comes with Swift's toolchain, or with LLVM")
    }
}
