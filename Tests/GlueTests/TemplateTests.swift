// The file that users copy: this module's copy is the same but for the line it asks for, and compiles as apps do.

import Audit
import Clients
import Engine
import Foundation
import RunSupport
import Scenario
import ShopClient
import Testing

@Suite struct TemplateTests {
    @Test func copyIsTheTemplateWithItsImport() throws {
        func text(_ path: String) throws -> [Substring] {
            let data = try Data(contentsOf: PackageFolder.url.appendingPathComponent(path))
            return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        let lines = try text("Sources/Clients/Template/Template.swift")
        let commented = lines.filter { $0.hasPrefix("// import Stampede ") }
        #expect(commented.count == 1)
        let expected = lines.map { commented.contains($0) ? "import Stampede" : $0 }
        #expect(try text("Tests/ShopClient/Template.swift") == expected)
    }

    @Test func copyRunsBesideTheBuiltInOne() throws {
        let client = copiedTemplate()
        let registry = ClientRegistry(additional: [client])
        #expect(registry["template"] == client && ClientRegistry()["template"] != client)
        let result = run(try Scenario.shipped("quickstart", users: 100), client)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }
}
