// What the client's sources show before any of it runs: code that Linux does not compile, or that StoreKit does not call.
// Pure; any thread.

import Reporting
import Simulation

struct SourceCheckup {
    let sources: ClientSources

    var findings: [DoctorFinding.Sources] {
        storeKitGaps + sources.subclassMethods.map(DoctorFinding.Sources.subclassMethod) + excluded
            + sources.modulesNotImported.map { .modulesNotImported(folder: $0.folder, $0.uses) }
    }

    private var storeKitGaps: [DoctorFinding.Sources] {
        let uses = sources.files.flatMap { StoreKitGaps.uses(in: $0) }
        if uses.isEmpty { return [.noStoreKitGaps(places: sources.places)] }
        return [false, true].compactMap { compiles in
            let alike = uses.filter { $0.compiles == compiles }
            return alike.first.map {
                .storeKitGap(.init($0.file, $0.line), name: $0.name, more: alike.count - 1, compiles: compiles)
            }
        }
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
