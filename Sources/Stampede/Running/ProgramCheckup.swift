// Whether a program's queues, clocks and statics can be each simulated device's own.
// Main thread.

import Engine
import Foundation
import Hosting
import Reporting
import Simulation
import Statics

struct ProgramCheckup {
    /// Nil: there is nothing to find.
    let statics: ClientData?
    let hasOwnClients: Bool

    var findings: [DoctorFinding.Program] {
        var findings = ofRuntime + ofStatics
        if !Statics.ClientCode.findsLines { findings.append(.noLines) }
        if !WorkerFence.keepsSignals { findings.append(.signalsLeave) }
        return findings
    }

    private var ofRuntime: [DoctorFinding.Program] {
        if !AppRuntime.isInForce { return [.runtimeAway(statics?.obstacles.first)] }
        return [.runtimeInForce] + (SwiftLibraries.current.areKnown ? [] : [.untriedSwift(.current)])
    }

    private var ofStatics: [DoctorFinding.Program] {
        guard hasOwnClients else { return [.noOwnClients] }
        guard let statics else { return [] }
        let obstacles = statics.obstacles.compactMap(finding)
        if statics.variables.isEmpty { return obstacles.isEmpty ? [.noStaticData] : obstacles }
        let owners = Dictionary(grouping: statics.variables, by: \.owner).mapValues(\.count)
        return obstacles + [.staticData(owners: owners), .staticDataSharedUnderWallClock]
    }

    private func finding(_ obstacle: ClientData.Obstacle) -> DoctorFinding.Program? {
        switch obstacle {
        case .stripped(let path): .stripped(path: path)
        case .unplaced: .unplaced(variable: obstacle.variableName)
        // Told with the runtime, which they keep away too.
        case .staticRuntime, .sanitizer: nil
        }
    }
}
