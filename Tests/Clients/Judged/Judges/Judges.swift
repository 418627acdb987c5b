// All clients that the audit is tried on.
// Constants; any thread.

import BrokenClients
public import Judging
import StoreKit2Broken
import StoreKit2Unusual
import UnusualClients

public enum Judges {
    /// Clients that do what StoreKit's documentation asks for, some in ways that few do.
    public static let correct =
        blindBases + unusualJudges + [storeKit2BrokenBase] + storeKit2UnusualJudges + [unstoring]
    /// Clients with one defect each. The blind ones and the ones for StoreKit 2 were written
    /// without knowledge of the audit's rules.
    public static let broken = blindJudges + knownJudges + storeKit2BrokenJudges

    private static let unstoring = Judge(
        MemoryShop.self, "The app stores no entitlement, and reads them at each launch.",
        source: "Apple, sample code of Implementing a store in your app using the StoreKit API")
}
