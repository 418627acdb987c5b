// The log of what a client prints keeps the last lines, and no more.

import Testing

@testable import Simulation

@Suite struct ClientLogTests {
    private var log = ClientLog()

    private mutating func write(_ text: String, process: Int = 1) {
        Array(text.utf8).withUnsafeBytes { log.write($0, at: .start, process: process) }
    }

    @Test mutating func clientLogJoinsLinesWrittenInParts() {
        write("one\ntw")
        #expect(log.lines.map(\.text) == ["one"])
        write("o\n\nthree")
        log.endLaunch(at: .start, process: 1)
        #expect(log.lines.map(\.text) == ["one", "two", "", "three"])
    }

    @Test mutating func clientLogIsBoundedPerLaunchAndDevice() {
        for number in 0..<1_000 { write("\(number)\n") }
        #expect(log.lines.map(\.text) == (936..<1_000).map { "\($0)" })
        for launch in 2...9 {
            log.endLaunch(at: .start, process: launch - 1)
            for number in 0..<40 { write("\(launch) \(number)\n", process: launch) }
        }
        #expect(log.lines.count == ClientLog.linesMax.device)
        #expect(log.lines.last?.text == "9 39" && log.lines.first?.text == "6 32")
    }

    @Test mutating func clientLogCutsLongLines() {
        write(String(repeating: "x", count: 10_000) + "\nnext\n")
        #expect(log.lines[0].text == String(repeating: "x", count: 512) + "… and 9488 bytes more")
        #expect(log.lines[1].text == "next")
    }

    @Test mutating func clientLogKeepsBytesThatAreNoText() {
        [0xFF, 0x41, 0x00, 0x0A].map(UInt8.init).withUnsafeBytes { log.write($0, at: .start, process: 1) }
        #expect(log.lines.map(\.text) == ["\u{FFFD}A\0"])
    }

    // The reason stays when its launch's lines have made way for others.
    @Test mutating func clientLogKeepsTheReasonOfAnEnd() {
        write("about to fail")
        log.end(because: "is not there", at: .start, process: 1)
        for number in 0..<1_000 { write("\(number)\n", process: 2) }
        #expect(log.reason(of: 1) == "is not there" && log.reason(of: 2) == nil && log.reason(of: nil) == nil)
        #expect(log.lines.first?.text == "about to fail")
    }
}
