// The test program, started again as the `stampede` command with the client of one test.
// Main thread, before the program's own `main`.

import CTestWorker
import Foundation
import ReportModel
import Reporting
import Stampede

enum TestWorker {
    /// The environment variable that marks a program that is started again.
    static let variable = STAMPEDE_TEST_CLIENT

    /// The name by which the restarted program finds a type;
    /// nil for a type that has none, such as one within a function.
    static func name(of client: any StoreClient.Type) -> String? {
        guard let name = _mangledTypeName(client), _typeByName(name) == client else { return nil }
        return name
    }

    /// The program's path; relative if the program is inside the working directory.
    private static var program: String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        let path = Paths.program.path
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }

    fileprivate static func begin(_ name: String) -> Never {
        guard let client = _typeByName(name) as? any StoreClient.Type else {
            FileHandle.standardError.write(
                Data("error: \(variable) does not name a client of this program: '\(name)'\n".utf8))
            exit(ExitStatus.invalidInput.rawValue)
        }
        Stampede.main(clients: [client], as: "\(variable)=\(name) \(program)")
    }
}

@_cdecl("stampede_test_worker_begin")
func beginTestWorker(_ client: UnsafePointer<CChar>) { TestWorker.begin(String(cString: client)) }
