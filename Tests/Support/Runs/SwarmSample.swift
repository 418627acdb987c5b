// A shop with everything that a swarm can draw.
// Constants; any thread.

import CatalogFile
package import ClientKit
package import Engine
import Foundation
import Scenario
package import Simulation
import Text

package enum SwarmSample {
    /// The one that `stampede swarm` draws from where nobody says what is sold.
    package static let catalog: Catalog = {
        let file = PackageFolder.url.appendingPathComponent("Tests/EngineTests/Cases/catalogs/EveryKind.storekit")
        do throws(Problems) {
            return try CatalogFile.load(path: file.path)
        } catch {
            preconditionFailure(error.description)
        }
    }()
}

extension SwarmSample {
    /// A swarm over that shop.
    package static func plan(
        _ client: any StoreClient.Type, options: [String: String] = [:], runs: Int, seed: UInt64 = 1, workers: Int = 1,
        kept: [SwarmPlan.Kept] = [], shrinks: Bool = false
    ) -> SwarmPlan {
        SwarmPlan(
            client: client, clientOptions: options,
            drawing: ScenarioDrawing(catalog: catalog, catalogPath: "shop.storekit"), seed: seed, runs: runs,
            workers: workers, kept: kept, shrinks: shrinks
        ) { text in
            do {
                return .success(try Scenario.text(text, catalog: catalog, naming: client))
            } catch {
                return .failure(SwarmPlan.Unreadable(message: "\(error)"))
            }
        }
    }
}
