// The runs that a report may be held against, as the database of runs has them.
// Plain values; any thread.

package import Metrics

extension Report {
    /// The newest runs before this one of the same scenario, client, users and clock.
    package struct Earlier: Codable, Sendable, Equatable {
        /// The last of them, by its number in the database.
        package var run: Int
        /// Of that one, as all of these.
        package var startedAt: String
        package var commit: String?
        package var isDirty: Bool?
        package var figures: [Figure]

        package init(run: Int, startedAt: String, commit: String? = nil, isDirty: Bool? = nil, figures: [Figure]) {
            (self.run, self.startedAt, self.commit, self.isDirty) = (run, startedAt, commit, isDirty)
            self.figures = figures
        }

        /// One figure of theirs, under the name that comparisons know it by.
        package struct Figure: Codable, Sendable, Equatable {
            package var name: String
            package var unit: ReportUnit
            package var direction: MetricDirection
            /// Of each run, the last of them last; nil where it was not measured.
            package var values: [Double?]

            package init(name: String, unit: ReportUnit, direction: MetricDirection, values: [Double?]) {
                (self.name, self.unit, self.direction, self.values) = (name, unit, direction, values)
            }
        }
    }
}
