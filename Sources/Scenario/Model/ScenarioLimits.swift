// The largest values a scenario may hold. Beyond them is a mistake, not a bigger test.
// Constants; any thread.

package import Simulation

package enum ScenarioLimits {
    // MARK: The file
    package static let fileBytesMax = 1 << 20
    package static let nestingMax = 64
    /// Nodes of the document once every alias has been replaced by what it stands for.
    package static let nodesMax = 100_000
    package static let nameLengthMax = 64
    package static let titleLengthMax = 200
    package static let descriptionLengthMax = 10_000

    // MARK: Values
    /// 400 days: sums of a few of these stay far from the end of the timeline.
    package static let spanMax = Span(nanoseconds: Distribution.ceiling)
    /// Less is no app; in bytes, like the other.
    package static let memoryMin: Int64 = 1 << 20
    package static let memoryMax: Int64 = 1 << 40
    package static let weightsMax = 1_000
    /// A weight written as a plain number.
    package static let weightMax: Int64 = 1_000_000

    // MARK: The run
    package static let usersMax = 1_000_000_000
    package static let loadEntriesMax = 1_000
    package static let journeysMax = 1_000
    package static let iterationsMax = 1_000_000
    /// Of one load entry, shared by its users.
    package static let sharedIterationsMax: Int64 = 1_000_000_000
    package static let stagesMax = 1_000
    package static let arrivalsPerSecondMax: Int64 = 10_000_000
    /// Arrivals of one load entry.
    package static let arrivalsMax: Int64 = 1_000_000_000
    /// Steps as written, those inside repeats and branches included.
    package static let stepsPerJourneyMax = 10_000
    package static let repeatMax: Int64 = 1_000_000
    /// StoreKit sells one to ten of a product in one payment (R11).
    package static let quantity: ClosedRange<Int64> = 1...10
    package static let devicesPerUser: ClosedRange<Int64> = 1...10
    /// The numbers of a user's devices.
    package static let devices = 1...Int(devicesPerUser.upperBound)
    package static let productsPerFetchMax = 1_000
    package static let togetherMax = 100
    package static let holdsMax: Int64 = 1_000_000_000

    // MARK: The store, the device
    package static let workersMax: Int64 = 1_000_000
    package static let queueMax: Int64 = 100_000_000
    package static let outagesMax = 1_000
    package static let withdrawalsMax = 1_000
    package static let serversMax = 1_000
    package static let toleratedRulesMax = 100
    package static let crashFaultsMax = 100
    package static let effectMax: Int64 = 1_000_000
    package static let thresholdsPerMetricMax = 100

    // MARK: Beside scenarios
    package static let knownFindingsMax = 1_000
}
