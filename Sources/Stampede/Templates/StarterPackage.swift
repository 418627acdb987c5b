// The package that `stampede init --package` writes: purchase code, and a program that tries it.
// Constants and pure text; any thread.

import ClientKit
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

struct StarterPackage {
    enum Style: String, CaseIterable {
        case callbacks, async, actor, storekit2
    }

    /// The place where the package finds Stampede.
    enum Source {
        /// A folder, as the package's manifest names it.
        case folder(String)
        case repository(String)
    }

    /// The name of the package and of the module with the app's code.
    let name: String
    let style: Style
    let source: Source
    let catalog: Catalog
    /// The catalog file's name within `Scenarios`, and its content.
    let catalogName: String
    let catalogText: String

    var tool: String { name + "Stampede" }
    var client: String { ClientName.hyphenated(name + "Client") }
    var scenario: String { "Scenarios/\(ClientName.hyphenated(name)).yml" }

    /// Whether a module of the app can have this name: it is written in Swift code, beside other modules' names.
    static func isName(_ name: String) -> Bool {
        let isWord = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        return isWord && name.first?.isLetter == true && !taken.contains(name)
    }

    /// An allowed name made of the same words: `MyShop` for `my shop`.
    static func proposal(for name: String) -> String {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
        let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        let proposal = String(joined.drop { !$0.isLetter })
        return isName(proposal) ? proposal : "Shop"
    }

    private static let taken: Set<String> = [
        "Stampede", "StampedeTesting", "StoreKit", "StoreKitTest", "Foundation", "Swift", "Dispatch", "Testing",
        "XCTest",
        "PurchaseManager", "Products", "Inventory",
    ]

    /// Paths within the package with their content, except the schema.
    var files: [(path: String, text: String)] {
        [
            ("Package.swift", manifest), ("README.md", readme), (".gitignore", ".build/\nReports/\nPackage.resolved\n"),
            (".github/workflows/purchases.yml", workflow), ("Containerfile", containerfile),
            (".dockerignore", ".build\nReports\n"), ("Sources/\(name)/Products.swift", products),
            ("Scenarios/\(catalogName)", catalogText),
            (scenario, StarterFiles.scenario(catalog, reference: catalogName, client: client)),
            ("Sources/\(tool)/main.swift", "import Stampede\n\nStampede.main(clients: [\(name)Client.self])\n"),
            ("Sources/\(tool)/\(name)Client.swift", named(style.client)),
            ("Tests/\(name)Tests/PurchaseTests.swift", named(PackageResources.PurchaseTests_swift)),
        ] + style.app.map { ("Sources/\(name)/\($0.file)", Self.text($0.bytes)) }
            + (style == .storekit2
                ? [] : [("Sources/\(tool)/SimulatedReceipt.swift", named(PackageResources.SimulatedReceipt_swift))])
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A template with the package's names in place of those that begin with `PackageName`.
    private func named(_ bytes: [UInt8]) -> String {
        var text = Self.text(bytes)
        for (placeholder, name) in [
            ("PackageNameScenario", scenario.dropFirst("Scenarios/".count).description), ("PackageName", name),
        ] {
            text = text.split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: name)
        }
        return text
    }

    private var manifest: String {
        let (dependency, identity) =
            switch source {
            case .folder(let path): ("path: \(Self.literal(path))", Self.lastPart(path))
            case .repository(let url):
                ("url: \(Self.literal(url)), from: \"\(StampedeVersion.current)\"", Self.lastPart(url))
            }
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "\(name)",
                traits: [
                    .trait(name: "Jemalloc", description: "Measure memory; --disable-default-traits is for sanitizers."),
                    .default(enabledTraits: ["Jemalloc"]),
                ],
                dependencies: [
                    .package(
                        \(dependency),
                        traits: [.trait(name: "Jemalloc", condition: .when(traits: ["Jemalloc"]))])
                ],
                targets: [
                    // The app's own code. On a phone it uses Apple's StoreKit, here Stampede's. Stampede has products for other
                    // modules that Linux lacks too, such as "UIKit", "os", "Security", "Network" and "AppleFoundation".
                    .target(name: "\(name)", dependencies: [.product(name: "StoreKit", package: \(Self.literal(identity)))]),
                    // The `stampede` command with this code as its client.
                    .executableTarget(
                        name: "\(tool)", dependencies: ["\(name)", .product(name: "Stampede", package: \(Self.literal(identity)))]),
                    // The same in `swift test`.
                    .testTarget(
                        name: "\(name)Tests",
                        dependencies: ["\(tool)", .product(name: "StampedeTesting", package: \(Self.literal(identity)))]),
                ],
                swiftLanguageModes: [.v5]
            )

            """
    }

    /// The part of a path that distinguishes packages.
    private static func lastPart(_ path: String) -> String {
        let part = path.split(separator: "/").last.map(String.init) ?? path
        return part.hasSuffix(".git") ? String(part.dropLast(4)) : part
    }

    private static func literal(_ text: String) -> String {
        var quoted = "\""
        for letter in text {
            if letter == "\\" || letter == "\"" { quoted.append("\\") }
            quoted.append(letter)
        }
        return quoted + "\""
    }

    private var products: String {
        let all = catalog.products.map { "        \(Self.literal($0.identifier)),\n" }.joined()
        let consumables = catalog.products.filter { $0.kind == .consumable }
        let used = consumables.map { "        \(Self.literal($0.identifier)),\n" }.joined()
        return """
            // The app's products.

            public enum Products {
                public static let all: [String] = [
            \(all)    ]

                /// Products that are used up. All other products are owned for good.
                static let consumables: Set<String> = [
            \(used)    ]
            }

            """
    }

    private var workflow: String {
        let checkout =
            switch source {
            case .repository: ""
            case .folder(let path):
                """

                      - name: Get Stampede from the repository variable STAMPEDE_URL
                        run: git clone --depth 1 "${{ vars.STAMPEDE_URL }}" '\(path)'
                """
            }
        return """
            name: Purchases
            on: [push, pull_request]
            jobs:
              purchases:
                runs-on: ubuntu-24.04
                container: swift:6.3
                steps:
                  - uses: actions/checkout@v4\(checkout)
                  - name: Install the build's packages
                    run: apt-get update -qq && apt-get install -y -qq libjemalloc-dev libsqlite3-dev
                  - name: Build
                    run: swift build -c release
                  - name: Check that no purchase is lost
                    run: .build/release/\(tool) run \(scenario)
                  - name: Check every place to crash at
                    run: .build/release/\(tool) sweep \(scenario)
                  - name: Keep the reports
                    if: always()
                    uses: actions/upload-artifact@v4
                    with: {name: stampede, path: Reports/}

            """
    }

    private var containerfile: String {
        // The package's folder in the image.
        let home = "/src/\(name)"
        let (command, copies): (String, String) =
            switch source {
            case .repository: ("docker build -t \(image) .", "")
            case .folder(let path):
                (
                    "docker build --build-context stampede=\(ShellWord.quoted(path)) -t \(image) .",
                    "# hadolint ignore=DL3022\nCOPY --from=stampede . \(Paths.absolute(path, from: home))\n"
                )
            }
        return ContainerFile(
            head: """
                # \(tool) in a small image, run by an unprivileged user; with docker or podman:
                #
                #   \(command)
                #   docker run --rm -v "$PWD/Reports:/app/Reports" \(image) run \(scenario)
                #
                # User 1000 needs write access to the mounted folder.
                """,
            product: tool, home: home, before: copies, files: "COPY Scenarios Scenarios"
        ).text
    }

    /// The image's name, spelled as image names are.
    private var image: String { ClientName.hyphenated(name).lowercased() }

    private var readme: String {
        """
        # \(name)

        `Sources/\(name)` is the app's purchase code; `Sources/\(tool)` tests it with Stampede's simulated users:

        ```sh
        swift build -c release && .build/release/\(tool) run \(scenario)
        ```

        `swift test` does so too. Replace `PurchaseManager` with your own class: `\(name)Client.swift` maps the users' actions to its calls.

        """
    }
}

extension StarterPackage.Style {
    /// The app's code, by the names of its files.
    fileprivate var app: [(file: String, bytes: [UInt8])] {
        let inventory = ("Inventory.swift", PackageResources.Inventory_swift)
        let listener = ("StoreListener.swift", PackageResources.StoreListener_swift)
        let manager = "PurchaseManager.swift"
        return switch self {
        case .callbacks: [inventory, (manager, PackageResources.CallbackManager_swift)]
        case .async: [inventory, listener, (manager, PackageResources.AsyncManager_swift)]
        case .actor: [inventory, listener, (manager, PackageResources.ActorManager_swift)]
        case .storekit2:
            [
                ("Inventory.swift", PackageResources.StoreKit2Inventory_swift),
                (manager, PackageResources.StoreKit2Manager_swift),
            ]
        }
    }

    /// The code that drives the app's code.
    fileprivate var client: [UInt8] {
        switch self {
        case .callbacks: PackageResources.CallbackClient_swift
        case .async: PackageResources.AsyncClient_swift
        case .actor: PackageResources.ActorClient_swift
        case .storekit2: PackageResources.StoreKit2Client_swift
        }
    }
}
