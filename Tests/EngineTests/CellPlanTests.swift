// The cut of a population into cells: nobody twice, nobody forgotten, nothing of the store lost.

import RunSupport
import Scenario
import Simulation
import Testing

@testable import Engine

@Suite struct CellPlanTests {
    struct PlanCase: Sendable, CustomTestStringConvertible {
        let entries: [Int]
        var workers: Int?
        var testDescription: String { "\(entries) users, \(workers.map { "\($0) workers" } ?? "no limit")" }

        func scenario() throws -> Scenario {
            let load = entries.enumerated().map { "{name: e\($0), journey: j, executor: at-once, users: \($1)}" }
            var scenario = try Scenario.text(
                """
                name: Plan
                store: {catalog: shop.storekit}
                population: {users: \(entries.reduce(0, +))}
                load: [\(load.joined(separator: ", "))]
                journeys: {j: [launch]}

                """)
            scenario.store.conditions.capacity = workers.map {
                StoreCapacity(workers: $0, serviceTime: .constant(1), queueLimit: $0 * 3 + 1)
            }
            return scenario
        }
    }

    static let cases = [
        PlanCase(entries: [1]), PlanCase(entries: [63, 1]), PlanCase(entries: [64]), PlanCase(entries: [65]),
        PlanCase(entries: [1, 999, 1]), PlanCase(entries: [10_000, 3, 777]), PlanCase(entries: [1_000_000]),
        PlanCase(entries: [20_000], workers: 7), PlanCase(entries: [20_000], workers: 100),
        PlanCase(entries: [9_999, 4_321], workers: 33), PlanCase(entries: [50], workers: 1_000_000),
    ]

    @Test(arguments: cases)
    func everyUserIsInExactlyOneCell(item: PlanCase) throws {
        let plan = CellPlan(try item.scenario())
        #expect(plan.userCount == item.entries.reduce(0, +))
        var next = 0
        for cell in 0..<plan.cellCount {
            let users = plan.users(of: cell)
            #expect(users.lowerBound == next && !users.isEmpty)
            next = users.upperBound
        }
        #expect(next == plan.userCount)
    }

    @Test(arguments: cases)
    func cellPlanGivesEachEntryExactlyItsUsers(item: PlanCase) throws {
        let plan = CellPlan(try item.scenario())
        var counts = item.entries.map { _ in 0 }
        for cell in 0..<plan.cellCount {
            let entries = plan.entries(of: cell)
            var next = plan.users(of: cell).lowerBound
            for (place, range) in entries.enumerated() {
                #expect(range.lowerBound == next)
                next = range.upperBound
                counts[place] += range.count
            }
            #expect(next == plan.users(of: cell).upperBound)
        }
        #expect(counts == item.entries)
    }

    @Test(arguments: cases)
    func cellPlanDividesTheWholeCapacity(item: PlanCase) throws {
        let scenario = try item.scenario()
        let plan = CellPlan(scenario)
        let whole = scenario.store.conditions.capacity
        let parts = (0..<plan.cellCount).compactMap { plan.capacity(whole, of: $0) }
        guard let whole else {
            #expect(parts.isEmpty)
            return
        }
        #expect(parts.map(\.workers).reduce(0, +) == whole.workers)
        #expect(parts.map(\.queueLimit).reduce(0, +) == whole.queueLimit)
        #expect(parts.allSatisfy { $0.workers >= 1 && $0.serviceTime == whole.serviceTime })
        let least = parts.map(\.workers).min() ?? 0
        #expect(plan.cellCount == 1 || least >= CellPlan.workersPerCellMin)
    }

    @Test(arguments: cases)
    func cellPlanFindsTheCellOfAUser(item: PlanCase) throws {
        let plan = CellPlan(try item.scenario())
        for user in [0, plan.userCount / 3, plan.userCount / 2, plan.userCount - 1] {
            let cell = try #require(plan.cell(of: user))
            #expect(plan.users(of: cell).contains(user))
        }
        #expect(plan.cell(of: plan.userCount) == nil && plan.cell(of: -1) == nil)
    }

    // Who shares a store or a pool of users is kept together; on the wall clock cells are about timers only.
    @Test func usersWhoShareAStoreGetLargerCells() throws {
        let alone = try PlanCase(entries: [4_000]).scenario()
        #expect(CellPlan(alone).cellCount == (4_000 + CellPlan.usersPerCellAlone - 1) / CellPlan.usersPerCellAlone)
        let sharing = try PlanCase(entries: [4_000], workers: 1_000).scenario()
        #expect(CellPlan(sharing).cellCount == 4_000 / CellPlan.usersPerCell)
        var wall = alone
        wall.clock = .wall
        #expect(CellPlan(wall).cellCount == 4_000 / CellPlan.usersPerCell)
    }
}
