// stampede certificates: what a server has to trust to verify what the simulated App Store signs.
// Main thread.

import ArgumentParser
import Foundation
import ReportModel
import Reporting
import Simulation

struct CertificatesCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Print the root certificate of the simulated App Store, or write all of its certificates.",
        discussion: """
            StoreKit 2 signs transactions, renewal information and app transactions (`jwsRepresentation`), and the App Store \
            receipts. A server that verifies them has to trust this root in place of Apple's. Certificates and keys are the \
            same for everybody and never expire: trust the root in tests only.

              stampede certificates > root.pem
              stampede certificates --out Certificates
            """)

    @Option(
        help: "Write root.pem, root.der, and chain.pem (leaf, intermediate, root) into this folder.",
        completion: .directory)
    var out: String?

    mutating func perform() throws -> ExitStatus {
        let chain = [StoreCertificates.leaf, StoreCertificates.intermediate, StoreCertificates.root]
        guard let out else {
            Terminal.write(Self.pem(StoreCertificates.root))
            return .passed
        }
        try CommandContext.makeFolder(out, hint: "name a folder that you may write to")
        try CommandContext.write(Self.pem(StoreCertificates.root), to: Paths.join(out, "root.pem"))
        try CommandContext.write(chain.map(Self.pem).joined(), to: Paths.join(out, "chain.pem"))
        // A literal.
        try CommandContext.write(Data(base64Encoded: StoreCertificates.root)!, to: Paths.join(out, "root.der"))
        Terminal.write(
            "Wrote \(HumanNumbers.list(["root.pem", "root.der", "chain.pem"].map { Paths.join(out, $0) })).\n")
        return .passed
    }

    /// RFC 7468.
    private static func pem(_ certificate: String) -> String {
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = Substring(certificate)
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }
}
