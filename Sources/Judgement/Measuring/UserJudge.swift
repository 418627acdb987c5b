// Who takes in the users of a cell once they have settled.

package import Metrics

/// Called on one lane, user after user.
package protocol UserJudge: AnyObject {
    func absorb(_ record: UserRecord)
    /// No more users of this cell will come.
    func cellEnded(_ summary: CellSummary)
}

/// What is known of a cell as a whole when its last user has been judged.
package struct CellSummary: Sendable {
    /// Of each load entry.
    package let droppedIterations: [Int]
    /// How long requests waited in the store's queue; measured where the store has a capacity.
    package let queueWaits: TimeSeries

    package init(droppedIterations: [Int], queueWaits: TimeSeries) {
        self.droppedIterations = droppedIterations
        self.queueWaits = queueWaits
    }
}
