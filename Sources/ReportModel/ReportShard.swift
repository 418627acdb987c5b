// Which part of a run a report is of.
// Plain values; any thread.

extension Report {
    /// One of the parts that several machines share a run in. What is measured is the part's; what is run is the whole's.
    package struct Shard: Codable, Sendable, Equatable {
        /// From 1.
        package var index: Int
        package var of: Int
        /// Cells and users of the part.
        package var cells: Int
        package var users: Int
        /// What all parts of the run have in common, as sixteen digits.
        package var plan: String

        package init(index: Int, of: Int, cells: Int, users: Int, plan: String) {
            (self.index, self.of, self.cells, self.users, self.plan) = (index, of, cells, users, plan)
        }

        /// `3/16`
        package var text: String { "\(index)/\(of)" }

        /// What the folder of its report is called behind that of the run.
        package var folderSuffix: String { Self.folderSuffix(index, of: of) }

        package static func folderSuffix(_ index: Int, of count: Int) -> String { "-part-\(index)-of-\(count)" }
    }
}
