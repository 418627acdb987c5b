// Files of client code: each device has its own, and what an app changes there outlives it.

import ClientKit
import Foundation
import RuntimePrograms
import Testing

@testable import Simulation

@Suite struct FilesTests {
    private let device = ProgramDevice()
    private let log = Log()

    init() { FoundationHooks.install() }

    /// The ways in which apps find a place for a file.
    private static let places: [@Sendable () throws -> URL] = [
        {
            FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
        },
        {
            try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        },
        {
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
        },
        { FileManager.default.temporaryDirectory },
        { FileManager.default.homeDirectoryForCurrentUser },
        { URL(fileURLWithPath: NSTemporaryDirectory()) },
        { URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Documents") },
        { URL(fileURLWithPath: NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)[0]) },
        { URL(fileURLWithPath: NSSearchPathForDirectoriesInDomains(.cachesDirectory, .userDomainMask, true)[0]) },
        {
            FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
        },
        { URL(fileURLWithPath: "Documents") },
    ]

    @Test(arguments: places.indices)
    func eachDeviceHasItsOwnFiles(place: Int) throws {
        let other = ProgramDevice()
        let find = Self.places[place]
        let log = log
        let tell: @Sendable () -> Void = {
            let file = try? find().appendingPathComponent("goods.json")
            log.add((file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }) ?? "none")
        }
        #expect(
            device.run {
                do {
                    let folder = try find()
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try "nine".write(to: folder.appendingPathComponent("goods.json"), atomically: true, encoding: .utf8)
                    log.add(folder.path)
                } catch {
                    log.add("\(error)")
                }
            })
        #expect(device.run(tell) && other.run(tell))
        tell()
        device.device.crash()
        _ = device.device.launch()
        #expect(device.run(tell))
        device.device.terminate()
        device.device.reinstall()
        _ = device.device.launch()
        #expect(device.run(tell))
        let folder = try #require(log.lines.first)
        #expect(folder.hasPrefix("/var/mobile/Containers/Data/Application/"), "\(folder)")
        #expect(log.lines.dropFirst() == ["nine", "none", "none", "nine", "none"])
    }

    // Relative paths, folders, descriptors and streams: all of them name the same files.
    @Test func everyWayOfNamingAFileFindsTheSameFile() {
        let log = log
        #expect(
            device.run {
                do {
                    let files = FileManager.default
                    try files.createDirectory(atPath: "Documents/a/b", withIntermediateDirectories: true)
                    try Data("one".utf8).write(to: URL(fileURLWithPath: "Documents/a/b/one"))
                    log.add(try String(contentsOfFile: NSHomeDirectory() + "/Documents/a/b/one", encoding: .utf8))
                    let stream = fopen("Documents/a/two", "w")
                    fputs("two", stream)
                    fclose(stream)
                    log.add(String(decoding: files.contents(atPath: "Documents/a/two") ?? Data(), as: UTF8.self))
                    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: "Documents/a/two"))
                    try handle.seekToEnd()
                    try handle.write(contentsOf: Data("!".utf8))
                    try handle.close()
                    try files.moveItem(atPath: "Documents/a/two", toPath: "Documents/three")
                    try files.copyItem(atPath: "Documents/a", toPath: "Documents/copy")
                    log.add("\(files.currentDirectoryPath == NSHomeDirectory())")
                    log.add("\(files.changeCurrentDirectoryPath("Documents")) \(files.fileExists(atPath: "three"))")
                    log.add(try String(contentsOfFile: "three", encoding: .utf8))
                    log.add("\(try files.contentsOfDirectory(atPath: ".").sorted())")
                    log.add("\(try files.subpathsOfDirectory(atPath: "copy").sorted())")
                    let walked = files.enumerator(at: URL(fileURLWithPath: "copy"), includingPropertiesForKeys: nil)
                    log.add(
                        "\(walked?.compactMap { ($0 as? URL)?.path.replacing(NSHomeDirectory(), with: "~") }.sorted() ?? [])"
                    )
                    log.add(
                        URL(fileURLWithPath: "three").resolvingSymlinksInPath().path.replacing(
                            NSHomeDirectory(), with: "~"))
                    try files.removeItem(atPath: "a")
                    log.add("\(files.fileExists(atPath: NSHomeDirectory() + "/Documents/a"))")
                    log.add("\(try files.attributesOfItem(atPath: "three")[.size] ?? 0)")
                } catch {
                    log.add("\(error)")
                }
            })
        #expect(
            log.lines == [
                "one", "two", "true", "true true", "two!", #"["a", "copy", "three"]"#, #"["b", "b/one"]"#,
                #"["~/Documents/copy/b", "~/Documents/copy/b/one"]"#, "~/Documents/three", "false", "4",
            ])
        #expect(!FileManager.default.fileExists(atPath: "Documents/three"))
    }

    /// What is in a file after a crash before each of the effects by which it is written.
    private func contents(writing: @escaping @Sendable (URL) throws -> Void) -> [String] {
        var found: [String] = []
        for effect in 1... {
            let bench = ProgramDevice(crashingBefore: effect)
            let log = Log()
            _ = bench.run { try? writing(URL(fileURLWithPath: "Documents/goods")) }
            let isDone = bench.device.process != nil
            if !isDone { _ = bench.device.launch() }
            _ = bench.run {
                log.add((try? String(contentsOfFile: "Documents/goods", encoding: .utf8)) ?? "none")
                log.add("\((try? FileManager.default.contentsOfDirectory(atPath: "Documents").count) ?? 0)")
            }
            found.append(log.lines.joined(separator: " "))
            if isDone { return found }
        }
        return found
    }

    // Foundation renames the new file before it closes it.
    @Test(arguments: [false, true])
    func writeOfAFileIsNotedOnce(isAtomic: Bool) {
        #expect(device.run { try? "nine".write(toFile: "Documents/goods", atomically: isAtomic, encoding: .utf8) })
        let writes = device.device.events.count { if case .stored = $0.event { true } else { false } }
        #expect(writes == 1)
    }

    // A crash comes before a write or after it, and what the app does after its end is lost.
    @Test func crashComesBeforeOrAfterAWrite() {
        let atomic = contents {
            try "old".write(to: $0, atomically: true, encoding: .utf8)
            try "new".write(to: $0, atomically: true, encoding: .utf8)
        }
        #expect(Array(Set(atomic)).sorted() == ["new 1", "none 1", "old 2"], "\(atomic)")
        let plain = contents {
            try Data("old".utf8).write(to: $0)
            try Data("new".utf8).write(to: $0)
        }
        #expect(plain == ["none 0", "old 1", "new 1"], "\(plain)")
        let appending = contents {
            try Data("a".utf8).write(to: $0)
            let handle = try FileHandle(forWritingTo: $0)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data("b".utf8))
            try handle.write(contentsOf: Data("c".utf8))
            try handle.close()
        }
        #expect(appending == ["none 0", "a 1", "ab 1", "abc 1"], "\(appending)")
        let removed = contents {
            try Data("a".utf8).write(to: $0)
            try FileManager.default.removeItem(at: $0)
        }
        #expect(removed == ["none 0", "a 1", "none 0"], "\(removed)")
    }

    // A file that all devices would share is refused, a connection is not; both are told by their names.
    @Test func filesConnectionsAndProgramsOutsideAreReported() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("stampede.outside.txt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        var missing: [ClientRemarks.Kind: String] = [
            .file: file.path, .connection: "127.0.0.1:1", .program: "/bin/true", .thread: "",
        ]
        // Remarks are of the process: a run of another test may take them first.
        for _ in 1...100 where !missing.isEmpty {
            try reachOutside(file)
            for remark in ClientRemarks.take().remarks {
                let names = remark.subjects.map(\.name)
                if let name = missing[remark.kind], names.contains(name) { missing[remark.kind] = nil }
            }
        }
        #expect(missing.isEmpty)
        #expect(try String(contentsOf: file, encoding: .utf8).isEmpty)
    }

    private func reachOutside(_ file: URL) throws {
        let log = Log()
        #expect(
            device.run {
                try? Data("shared".utf8).write(to: file)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = UInt16(1).bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                withUnsafePointer(to: &address) { place in
                    place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                close(descriptor)
                var child: pid_t = 0
                if posix_spawn(&child, "/bin/true", nil, nil, [nil], nil) == EPERM { log.add("no /bin/true") }
                Thread { log.add("a thread") }.start()
            })
        while log.lines.count < 2 { usleep(1_000) }
        #expect(log.lines.sorted() == ["a thread", "no /bin/true"])
    }

    // Elsewhere `Process` is what it was.
    @Test func appCannotStartAProcess() throws {
        let log = log
        let program = URL(fileURLWithPath: "/bin/true")
        let begin: @Sendable () throws -> Int32 = {
            let process = Process()
            process.executableURL = program
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(
            device.run {
                do { log.add("ended with \(try begin())") } catch {
                    log.add("\((error as? CocoaError)?.code.rawValue ?? 0)")
                }
                do { _ = try Process.run(program, arguments: []) } catch { log.add("refused") }
            })
        #expect(log.lines == ["\(CocoaError.Code.fileReadNoPermission.rawValue)", "refused"])
        #expect(try begin() == 0)
        let process = try Process.run(program, arguments: [])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
