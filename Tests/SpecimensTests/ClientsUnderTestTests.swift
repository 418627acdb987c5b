// What holds for every client that comes with Stampede, whatever its flaws.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import Specimens
import Testing

/// Whatever the catalog, whatever happens: no client may trap, and the simulation's invariants hold.
@Suite struct ClientsUnderTestTests {
    private static let clients = ClientRegistry.shipped.map { $0.name }

    @Test(arguments: clients, PackageFolder.scenarios)
    func everyScenarioRunsWithEveryClient(client: String, scenario: String) throws {
        let type = try #require(ClientRegistry()[client])
        var scenario = try Scenario.shipped(scenario, users: 25)
        scenario.clock = .virtual
        let result = run(scenario, type)
        #expect(result.collector.faultCount == 0 && result.unjudgedUsers == 0 && result.stuckCells.isEmpty)
        #expect(result.violations[.clientCrash] == nil && result.violations[.leftItsQueue] == nil)
        #expect(result.violations[.illegalFinish] == nil)
    }
}
