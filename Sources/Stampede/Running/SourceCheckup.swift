// What the client's sources show before any of it runs: code that Linux does not compile, or that StoreKit does not call.
// Pure; any thread.

import Reporting
import Simulation

struct SourceCheckup {
    let sources: ClientSources

    var checks: [DoctorReport.Check] { [storeKitTwo] + sources.subclassMethods.map(check) + excluded }

    private var storeKitTwo: DoctorReport.Check {
        let uses = sources.files.flatMap { StoreKitTwo.uses(in: $0) }
        guard let first = uses.first else {
            return DoctorReport.Check(.good, "No code of StoreKit 2 in \(sources.places.joined(separator: ", "))")
        }
        let more = uses.count > 1 ? ", and at \(HumanNumbers.quantity(uses.count - 1, "more place"))" : ""
        return DoctorReport.Check(
            .bad, "\(first.file):\(first.line) uses StoreKit 2 (\(first.name))\(more): that is not simulated yet",
            hint: "what is simulated is StoreKit's original API: SKPaymentQueue and what belongs to it")
    }

    /// What Linux leaves out, and StoreKit would call.
    private var excluded: [DoctorReport.Check] {
        sources.excludedMethods.map { left in
            let names = left.methods.joined(separator: ", ")
            let lines = "\(left.block.lines.lowerBound) to \(left.block.lines.upperBound - 1)"
            return DoctorReport.Check(
                .bad,
                "\(left.file):\(left.block.line): Linux does not compile lines \(lines), under `\(left.block.condition)`, and "
                    + "StoreKit does not call what they declare: \(names)",
                hint: Self.edit(of: left.block))
        }
    }

    private static func edit(of block: SwiftSource.ExcludedBlock) -> String {
        block.condition.hasPrefix("#if os(")
            ? "write `\(block.condition) || os(Linux)`, and import the modules that the lines need: the guide to what Linux lacks "
                + "lists them"
            : "let the condition hold for os(Linux)"
    }

    private func check(_ method: SubclassMethod) -> DoctorReport.Check {
        let place = method.file.flatMap { file in method.line.map { "\(file):\($0): " } } ?? ""
        return DoctorReport.Check(
            .bad,
            "\(place)only the subclass \(method.type) has \(method.name), so it is not called on Linux: the class that "
                + "conforms to the protocol, \(method.conforming), lacks it",
            hint: "implement \(method.name) in \(method.conforming), and write `override` in \(method.type)")
    }
}
