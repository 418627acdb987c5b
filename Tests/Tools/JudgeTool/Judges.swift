// All clients that the audit is tried on.
// Constants; any thread.

import BrokenClients
import Judging
import UnusualClients

enum Judges {
    /// Clients that do what StoreKit's documentation asks for, some in ways that few do.
    static let correct = blindBases + unusualJudges
    /// Clients with one defect each. The blind ones were written without knowledge of the audit's rules.
    static let broken = blindJudges + knownJudges
}
