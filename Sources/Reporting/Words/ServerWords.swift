// What to write into a scenario for servers that it does not know.
// Pure; any thread.

package import Simulation

package enum ServerWords {
    private static let stubsMax = 3

    /// `http: [{url: 'https://api.example.com/verify', body: '{}'}]`, for the first few addresses.
    package static func stubs(for remark: ClientRemarks.Remark) -> String {
        let addresses = Set(remark.subjects.map(\.name)).sorted()
        let stubs = addresses.prefix(stubsMax).map { address in
            // As YAML quotes it.
            "{url: '\(address.replacing("'", with: "''"))', body: '{}'}"
        }
        return "http: [\((stubs + (addresses.count > stubsMax ? ["…"] : [])).joined(separator: ", "))]"
    }
}
