// The guides stay true: every scenario in them that is called complete runs as it stands there, and every link leads
// somewhere.

import Foundation
import Reporting
import Testing

@Suite struct GuideTests {
    private static let folder = Workplace.package.appendingPathComponent("Sources/Stampede/Stampede.docc")

    private static let guides: [URL] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { folder.appendingPathComponent($0) }
    }()

    /// A block between fences.
    struct Block: Sendable, CustomStringConvertible {
        let guide: String
        let line: Int
        let text: String
        var description: String { "\(guide):\(line)" }
    }

    /// The blocks whose opening fence says so, such as `yaml complete`.
    static func blocks(_ kind: String) throws -> [Block] {
        try guides.flatMap { guide in
            var blocks: [Block] = []
            var open: (line: Int, lines: [String], isWanted: Bool)?
            let lines = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "\n")
            for (place, line) in lines.enumerated() {
                if line.hasPrefix("```"), let block = open {
                    if block.isWanted {
                        let text = block.lines.joined(separator: "\n") + "\n"
                        blocks.append(Block(guide: guide.lastPathComponent, line: block.line, text: text))
                    }
                    open = nil
                } else if line.hasPrefix("```") {
                    open = (place + 1, [], line.dropFirst(3) == kind)
                } else {
                    open?.lines.append(line)
                }
            }
            return blocks
        }
    }

    @Test func thereAreScenariosInTheGuides() throws {
        #expect(Self.guides.count >= 4)
        #expect(try Self.blocks("yaml complete").count >= 3)
    }

    @Test(arguments: try blocks("yaml complete"))
    func completeScenariosPass(block: Block) throws {
        let place = try Workplace()
        try FileManager.default.copyItem(
            at: Workplace.package.appendingPathComponent("Scenarios/catalogs"),
            to: place.folder.appendingPathComponent("catalogs"))
        try place.write(block.text, to: "guide.yml")
        let outcome = try place.stampede("run", "guide.yml", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.all.isEmpty, "\(outcome)")
    }

    @Test func linksLeadSomewhere() throws {
        let readme = Workplace.package.appendingPathComponent("README.md")
        for file in Self.guides + [readme] {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /\]\(([^)#\s]+)(#[^)]*)?\)/) where !match.1.hasPrefix("http") {
                let target = file.deletingLastPathComponent().appendingPathComponent(String(match.1))
                #expect(
                    FileManager.default.fileExists(atPath: target.path), "\(file.lastPathComponent) names \(match.1)")
            }
        }
    }
}
