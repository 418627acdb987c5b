// What one user does, step after step.
// Plain values; any thread.

package import Simulation

package struct Journey: Sendable, Equatable {
    package var name: String
    /// At least one.
    package var steps: [Step]
}

/// An object, because users look at their steps often and change none.
package final class Step: Sendable, Equatable {
    /// What the step does.
    package enum Kind: Sendable, Equatable {
        case launch
        case terminate
        case crash
        case reinstall
        /// Another client is launched from here on.
        case updateApp(client: String)
        /// The app is in the background for so long.
        case background(Distribution)
        case fetchProducts(FetchStep)
        case buy(BuyStep)
        case restore(waits: Bool)
        case use(UseTarget)
        case think(Distribution)
        case waitFor(Pending, atMost: Span)
        /// Draws above `ScenarioLimits.repeatMax` count as that.
        case repeated(times: Distribution, steps: [Step])
        case choose([Branch])
        /// Begun at the same time in one app; the step ends when all have. Holds `buy`, `restore`,
        /// `fetchProducts` and `use` only.
        case together([Step])
        case expect(Expectation)
        /// Done by the person outside the app.
        case account(AccountAction)
        /// The person taps a promoted product in the store, which opens the app.
        case promotedPurchase(ProductIndex)
        /// The app is closed, and the person signs in with the other one of their two accounts.
        case switchAccount
        /// On the next of the user's devices; on the only one, if there is no other.
        case onOtherDevice([Step])
    }

    package let kind: Kind
    /// Where the step stands, such as `journeys.storm[1]`.
    package let path: String
    /// Whether the app has to run for it.
    package let needsApp: Bool

    package init(kind: Kind, path: String) {
        self.kind = kind
        self.path = path
        needsApp = kind.needsApp
    }

    package static func == (left: Step, right: Step) -> Bool {
        left === right || left.kind == right.kind && left.path == right.path
    }
}

extension Step.Kind {
    fileprivate var needsApp: Bool {
        switch self {
        case .launch, .terminate, .crash, .reinstall, .updateApp, .think, .waitFor, .repeated, .choose, .expect,
            .account,
            .onOtherDevice, .switchAccount:
            return false
        case .promotedPurchase, .background, .fetchProducts, .buy, .restore, .use, .together: return true
        }
    }
}

extension Step {
    /// The steps in it.
    package var parts: [Step] {
        switch kind {
        case .repeated(_, let steps), .together(let steps), .onOtherDevice(let steps): steps
        case .choose(let branches): branches.flatMap(\.steps)
        default: []
        }
    }

    /// Itself and the steps in it.
    var count: Int { parts.reduce(1) { $0 + $1.count } }

    /// Clients that it, or a step within it, updates the app to.
    fileprivate var clients: Set<String> {
        let inside = parts.reduce(into: Set()) { $0.formUnion($1.clients) }
        return if case .updateApp(let client) = kind { inside.union([client]) } else { inside }
    }
}

extension Scenario {
    /// Clients that the app is updated to in its journeys, by name.
    package var clientsOfUpdates: [String] {
        journeys.flatMap(\.steps).reduce(into: Set()) { $0.formUnion($1.clients) }.sorted()
    }
}

package struct FetchStep: Sendable, Equatable {
    /// Whole identifiers, or names that the catalog does not know; nil: all products the app knows of.
    package var identifiers: [String]?
    /// Whether the next step waits for the answer.
    package var waits: Bool
}

package struct BuyStep: Sendable, Equatable {
    package enum Target: Sendable, Equatable {
        case product(ProductIndex)
        /// At least one, weights not all zero.
        case oneOf([ProductWeight])
        /// An identifier that the catalog does not have.
        case unknown(String)
    }

    package var target: Target
    /// Draws lie in `ScenarioLimits.quantity`.
    package var quantity: Distribution
    /// Whether the next step waits for the answer.
    package var waits: Bool

    package init(target: Target, quantity: Distribution, waits: Bool) {
        self.target = target
        self.quantity = quantity
        self.waits = waits
    }
}

package struct ProductWeight: Sendable, Equatable {
    package var product: ProductIndex
    package var weight: Int64
}

package struct Branch: Sendable, Equatable {
    package var weight: Int64
    package var steps: [Step]
}

package enum UseTarget: Sendable, Equatable {
    case product(ProductIndex)
    case all
}

/// Which unanswered requests a `wait_for` step waits for.
package enum Pending: RawRepresentable, Sendable, Equatable, CaseIterable {
    case request(RequestKind)
    case any

    package static let allCases: [Pending] = [.request(.purchase), .request(.restore), .request(.fetch), .any]

    package init?(rawValue: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = found
    }

    /// As scenarios say it.
    package var rawValue: String {
        switch self {
        case .request(let kind): kind.step
        case .any: "any"
        }
    }

    package func includes(_ kind: RequestKind) -> Bool {
        switch self {
        case .request(let asked): asked == kind
        case .any: true
        }
    }
}

/// What must hold when the step is reached. All that is given must.
package struct Expectation: Sendable, Equatable {
    package enum Answer: String, Sendable, CaseIterable {
        case purchased
        case cancelled
        case failed
        case refused
        case restored
        case nothingToRestore = "nothing_to_restore"
        case deferred
    }

    package struct Holding: Sendable, Equatable {
        package var product: ProductIndex
        package var count: Int
    }

    package var owns: [ProductIndex] = []
    package var notOwns: [ProductIndex] = []
    /// Exact counts of consumables.
    package var holds: [Holding] = []
    /// The app's last answer to the user.
    package var answered: Answer?

    package init(
        owns: [ProductIndex] = [], notOwns: [ProductIndex] = [], holds: [Holding] = [], answered: Answer? = nil
    ) {
        self.owns = owns
        self.notOwns = notOwns
        self.holds = holds
        self.answered = answered
    }
}
