// The guides stay true: every scenario in them that is called complete runs as it stands there, and every link leads
// somewhere.

import Foundation
import ReportModel
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

    @Test func guidesHoldCompleteScenarios() throws {
        #expect(Self.guides.count >= 4)
        #expect(try Self.blocks("yaml complete").count >= 3)
    }

    @Test(arguments: try blocks("yaml complete"))
    func completeScenariosOfTheGuidesPass(block: Block) throws {
        let place = try Workplace()
        try FileManager.default.copyItem(
            at: Workplace.package.appendingPathComponent("Scenarios/catalogs"),
            to: place.folder.appendingPathComponent("catalogs"))
        try place.write(block.text, to: "guide.yml")
        let outcome = try place.stampede("run", "guide.yml", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.all.isEmpty, "\(outcome)")
    }

    // MARK: Tables typed by hand

    /// The cells of the lines that begin so, as far as there are tables in a file.
    private static func cells(of file: URL, below heading: String) throws -> [[String]] {
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix(heading) }, "\(heading)")
        let table = lines[start...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
        return table.map { line in
            line.replacing("\\|", with: ",").split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The words that stand as code in a cell, without what follows a command's name.
    private static func commands(_ cell: String) -> [String] {
        cell.matches(of: /`([a-z]+)[^`]*`/).map { String($0.1) }
    }

    @Test func commandTableNamesEveryCommand() throws {
        let help = try Workplace().stampede("--help").out
        let commands = help.matches(of: #/\n  ([a-z]+) +[A-Z]/#).map { String($0.1) }
        #expect(commands.contains("run") && commands.count > 10)
        let table = try Self.cells(of: Self.folder.appendingPathComponent("Commands.md"), below: "## All of them")
        #expect(Set(table.flatMap { Self.commands($0[0]) }) == Set(commands))
        let short = try Self.cells(of: Workplace.package.appendingPathComponent("README.md"), below: "## Every day")
        #expect(!short.isEmpty && Set(commands).isSuperset(of: short.flatMap { Self.commands($0[0]) }))
    }

    @Test func commandTableNamesEveryListSubject() throws {
        let table = try Self.cells(of: Self.folder.appendingPathComponent("Commands.md"), below: "## All of them")
        let row = try #require(table.first { $0[0].hasPrefix("`list") })
        let named = try #require(row[0].firstMatch(of: /\[(.*)\]/)).1.split(separator: ",").map(String.init)
        let values = try #require(try Workplace().stampede("list", "--help").out.firstMatch(of: /\(values:([^;)]*)/)).1
        #expect(named == values.split { $0 == "," || $0.isWhitespace }.map(String.init))
    }

    @Test func gateGuideNamesExistingExitCodes() throws {
        let file = Self.folder.appendingPathComponent("GateAPullRequest.md")
        let codes = try Self.cells(of: file, below: "| step |").compactMap { Int32($0[1]) }
        #expect(codes.count > 4 && codes.allSatisfy { ExitStatus(rawValue: $0) != nil }, "\(codes)")
    }

    @Test func guideLinksPointToExistingFiles() throws {
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
