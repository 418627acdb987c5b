// What the client's sources show before any of it runs: code that Linux does not compile, or that StoreKit does not call.
// Pure; any thread.

import Reporting
import Simulation

struct SourceCheckup {
    let sources: ClientSources

    var findings: [DoctorFinding.Sources] {
        [storeKitTwo] + sources.subclassMethods.map(DoctorFinding.Sources.subclassMethod) + excluded
            + sources.modulesNotImported.map { .modulesNotImported(folder: $0.folder, $0.uses) }
    }

    private var storeKitTwo: DoctorFinding.Sources {
        let uses = sources.files.flatMap { StoreKitTwo.uses(in: $0) }
        guard let first = uses.first else { return .noStoreKitTwo(places: sources.places) }
        return .storeKitTwo(.init(first.file, first.line), name: first.name, more: uses.count - 1)
    }

    /// What Linux leaves out, and StoreKit would call.
    private var excluded: [DoctorFinding.Sources] {
        sources.excludedMethods.map { left in
            .excludedMethods(
                .init(left.file, left.block.line), condition: left.block.condition,
                isOfSystems: left.block.condition.hasPrefix("#if os("),
                lines: left.block.lines.lowerBound...(left.block.lines.upperBound - 1), methods: left.methods)
        }
    }
}
