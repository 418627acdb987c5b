// One file where somebody named it: whole, through links, into pipes and devices.

import FolderSupport
import Foundation
import Testing

@testable import Files

@Suite struct OutputFileTests {
    private func error(_ path: String) -> FileError? {
        do {
            try OutputFile.write(Data("new".utf8), to: path)
            return nil
        } catch {
            return error
        }
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func writingReplacesTheFileAndKeepsItsMode() throws {
        let scratch = try ScratchFolder()
        let file = "\(scratch.path)/page.html"
        try Data("something longer".utf8).write(to: URL(fileURLWithPath: file))
        chmod(file, 0o640)
        // Whoever reads the old one goes on reading it.
        let reader = try #require(FileHandle(forReadingAtPath: file))
        try OutputFile.write(Data("new".utf8), to: file)
        #expect(try text(file) == "new")
        #expect(try reader.readToEnd() == Data("something longer".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        #expect(try scratch.names() == ["page.html"])
    }

    // The last one leads to nothing yet.
    @Test(arguments: ["old", "missing"])
    func writingFollowsLinks(target: String) throws {
        let scratch = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/deep", withIntermediateDirectories: false)
        try Data("old".utf8).write(to: URL(fileURLWithPath: "\(scratch.path)/deep/old"))
        symlink(target, "\(scratch.path)/deep/second")
        symlink("deep/second", "\(scratch.path)/first")
        try OutputFile.write(Data("new".utf8), to: "\(scratch.path)/first")
        #expect(try text("\(scratch.path)/deep/\(target)") == "new")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/first") == "deep/second")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(scratch.path)/deep/second") == target)
        #expect(try scratch.names("deep") == Set(["old", "second", target]).sorted())
    }

    @Test func writingToAPipeKeepsThePipe() throws {
        let scratch = try ScratchFolder()
        let pipe = "\(scratch.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        // Read from and written to, so that neither side waits for the other.
        let descriptor = open(pipe, O_RDWR)
        defer { close(descriptor) }
        try OutputFile.write(Data("new".utf8), to: pipe)
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(descriptor, &bytes, 8) == 3 && bytes.starts(with: Data("new".utf8)))
        #expect(try scratch.names() == ["pipe"])
    }

    @Test func writeErrorsNameCauseAndHint() throws {
        let scratch = try ScratchFolder()
        #expect(error("")?.description == "'': the name is empty; name a file")
        #expect(error(scratch.path)?.description == "\(scratch.path): Is a directory; name a file in that folder")
        let lost = "\(scratch.path)/no/such/page.html"
        #expect(
            error(lost)?.description
                == "\(lost): No such file or directory; create its folder, or name another file")
        symlink("loop", "\(scratch.path)/loop")
        #expect(error("\(scratch.path)/loop")?.reason == "Too many levels of symbolic links")
        // Through a link of ours: a mistake here must not cost anybody the device.
        symlink("/dev/full", "\(scratch.path)/full")
        #expect(
            error("\(scratch.path)/full")?.description
                == "\(scratch.path)/full: No space left on device; free some space, or name another file")
        #expect(try scratch.names() == ["full", "loop"])
    }
}
