// Copies that share no reference-counted storage with their source.
//
// Two workers that count references of the same arrays fight for a cache line at every step of every user;
// each cell therefore works on copies of its own.

import Scenario
import Simulation

extension Step {
    func detached() -> Step {
        let copy: Kind
        switch kind {
        case .repeated(let times, let steps): copy = .repeated(times: times, steps: steps.map { $0.detached() })
        case .choose(let branches):
            copy = .choose(branches.map { Branch(weight: $0.weight, steps: $0.steps.map { $0.detached() }) })
        case .together(let steps): copy = .together(steps.map { $0.detached() })
        case .buy(var buy):
            if case .oneOf(let weights) = buy.target { buy.target = .oneOf(weights.map { $0 }) }
            copy = .buy(buy)
        case .fetchProducts(var fetch):
            fetch.identifiers = fetch.identifiers?.map(fresh)
            copy = .fetchProducts(fetch)
        case .expect(let expectation):
            copy = .expect(
                Expectation(
                    owns: expectation.owns.map { $0 }, notOwns: expectation.notOwns.map { $0 },
                    holds: expectation.holds.map { $0 }, answered: expectation.answered))
        // The rest is plain values, but their boxes are counted too: made anew.
        case .launch: copy = .launch
        case .terminate: copy = .terminate
        case .crash: copy = .crash
        case .reinstall: copy = .reinstall
        case .background(let time): copy = .background(time.detached())
        case .restore(let waits): copy = .restore(waits: waits)
        case .use(let target): copy = .use(target)
        case .think(let time): copy = .think(time.detached())
        case .waitFor(let pending, let atMost): copy = .waitFor(pending, atMost: atMost)
        }
        return Step(kind: copy, path: fresh(path))
    }
}

extension Distribution {
    func detached() -> Distribution {
        if case .weighted(let choices) = self { return .weighted(choices.map { $0 }) }
        return self
    }
}

extension StoreConditions {
    func detached() -> StoreConditions {
        var copy = self
        copy.outages = outages.map { $0 }
        copy.errors.purchase = errors.purchase.map { $0 }
        return copy
    }
}

/// The same text in memory of its own.
func fresh(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }
