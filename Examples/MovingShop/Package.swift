// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MovingShop",
    dependencies: [.package(name: "stampede", path: "../..")],
    targets: [
        // The app's own code. On a phone it has Apple's StoreKit, here Stampede's.
        .target(name: "MovingShop", dependencies: [.product(name: "StoreKit", package: "stampede")]),
        // The `stampede` command with this code as its client.
        .executableTarget(
            name: "MovingShopStampede",
            dependencies: ["MovingShop", .product(name: "Stampede", package: "stampede")]),
        // The same in `swift test`.
        .testTarget(
            name: "MovingShopTests",
            dependencies: ["MovingShopStampede", .product(name: "StampedeTesting", package: "stampede")]),
    ],
    swiftLanguageModes: [.v5]
)
