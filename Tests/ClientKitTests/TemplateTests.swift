// The file that users copy: this module's copy is the same but for the line it asks for, and compiles as apps do.

import ClientKit
import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import ShopClient
import Specimens
import Testing

@Suite struct TemplateTests {
    @Test func copiedTemplateDiffersOnlyInItsImports() throws {
        func text(_ path: String) throws -> [Substring] {
            let data = try Data(contentsOf: PackageFolder.url.appendingPathComponent(path))
            return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        }
        let lines = try text("Sources/Specimens/Template/Template.swift")
        let replaced = lines.filter { $0.hasPrefix("import ClientKit ") }
        #expect(replaced.count == 1)
        let expected = lines.map { replaced.contains($0) ? "import Stampede" : $0 }
        // In a copy the imports are sorted by their new names.
        func isImport(_ line: Substring) -> Bool { line.hasPrefix("import ") }
        let copy = try text("Tests/Clients/Shop/Template.swift")
        #expect(copy.filter { !isImport($0) } == expected.filter { !isImport($0) })
        #expect(copy.filter(isImport) == expected.filter(isImport).sorted())
    }

    @Test func copiedTemplateRunsBesideTheBuiltInTemplate() throws {
        let client = copiedTemplate()
        let registry = ClientRegistry(additional: [client])
        #expect(registry["template"] == client && ClientRegistry()["template"] != client)
        let result = run(try Scenario.shipped("quickstart", users: 100), client)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
    }
}
