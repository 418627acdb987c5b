// What `stampede doctor` found, as one value: the terminal and JSON are written from it.
// A value; any thread.

package struct DoctorReport: JSONReport, Codable, Sendable, Equatable {
    package var client: String
    package var sections: [Section]

    package init(client: String, sections: [Section]) {
        self.client = client
        self.sections = sections
    }

    package struct Section: Codable, Sendable, Equatable {
        package var title: String
        package var checks: [Check]

        package init(_ title: String, _ checks: [Check]) {
            self.title = title
            self.checks = checks
        }
    }

    package struct Check: Codable, Sendable, Equatable {
        package var state: State
        package var text: String
        /// What to do about it.
        package var hint: String?
        /// The file that the hint asks for.
        package var file: File?

        package init(_ state: State, _ text: String, hint: String? = nil, file: File? = nil) {
            (self.state, self.text, self.hint, self.file) = (state, text, hint, file)
        }
    }

    /// A file of the client's own, ready to paste.
    package struct File: Codable, Sendable, Equatable {
        package var path: String
        package var lines: [String]

        package init(path: String, lines: [String]) { (self.path, self.lines) = (path, lines) }
    }

    package enum State: String, Codable, Sendable {
        case good
        /// Good to know, and no obstacle.
        case note
        /// Stands in the way of a verdict.
        case bad
    }

    package var obstacles: Int { sections.flatMap(\.checks).count { $0.state == .bad } }
    /// A client that cannot be judged is not one that passes.
    package var status: ExitStatus { obstacles == 0 ? .passed : .unknown }
}
