// What a scenario is checked against, and cannot know itself.
// Plain values, passed in by the caller; any thread.

package import Metrics
package import Simulation
package import Text

package struct ScenarioContext: Sendable {
    /// The legal values of every option of every client, by the client's name and the option's.
    package var clients: [String: [String: [String]]]
    /// Of a client's name that is no slip of a known one.
    package static let ownClientHint =
        "run a client of your own with your package's own program, such as `swift run ShopStampede`"

    /// The client that is run instead of the scenario's, which may then be one of another program.
    package var clientInstead: String?
    /// The identifiers of the rules of the audit, such as "lost-purchase".
    package var rules: [String]
    /// Under which metrics breaches of a rule are counted; one that is not here is not checked.
    package var metricsOfRules: [String: [MetricName]]
    /// Of these, the ones about what an app may decide for itself: a scenario may tolerate their breach.
    package var toleratedRules: [String]
    /// Loads a StoreKit configuration file by its path.
    package var loadCatalog: @Sendable (_ path: String) -> Result<Catalog, Problems>

    package init(
        clients: [String: [String: [String]]], clientInstead: String? = nil, rules: [String],
        metricsOfRules: [String: [MetricName]] = [:], toleratedRules: [String] = [],
        loadCatalog: @escaping @Sendable (_ path: String) -> Result<Catalog, Problems>
    ) {
        self.clients = clients
        self.clientInstead = clientInstead
        self.rules = rules
        self.metricsOfRules = metricsOfRules
        self.toleratedRules = toleratedRules
        self.loadCatalog = loadCatalog
    }
}
