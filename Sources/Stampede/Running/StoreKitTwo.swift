// Code that calls StoreKit 2, which is not simulated: found in its sources, since it does not compile against this module.
// Reads files; any thread.

import Foundation

enum StoreKitTwo {
    /// A line that names something of StoreKit 2.
    struct Use: Equatable {
        let file: String
        let line: Int
        /// As `Transaction.updates`.
        let name: String
    }

    /// What only StoreKit 2 has. `Product` and `Transaction` alone may be anybody's.
    private static let names = [
        "Product.products(for", "Product.SubscriptionInfo", "Product.PurchaseResult", "Product.PurchaseOption",
        "Transaction.updates", "Transaction.all", "Transaction.currentEntitlements", "Transaction.latest(for",
        "Transaction.unfinished", "AppStore.sync(", "AppTransaction.shared", "VerificationResult<", "StoreView(",
        "ProductView(", "SubscriptionStoreView(",
    ]
    private static let filesMax = 20_000

    /// In Swift files below a folder, or in one file; in the order of their paths.
    static func uses(in path: String) -> [Use] {
        files(in: path).flatMap { file -> [Use] in
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { number, line in
                let code = Self.code(of: line)
                return names.filter { code.contains($0) }.map {
                    Use(file: file, line: number + 1, name: String($0.prefix { $0 != "(" && $0 != "<" }))
                }
            }
        }
    }

    /// Without what stands in quotes or behind `//`.
    private static func code(of line: Substring) -> String {
        let unquoted = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined()
        return unquoted.firstRange(of: "//").map { String(unquoted[..<$0.lowerBound]) } ?? unquoted
    }

    private static func files(in path: String) -> [String] {
        guard Paths.kind(path) == .folder else { return path.hasSuffix(".swift") ? [path] : [] }
        let names =
            FileManager.default.enumerator(atPath: path)?.lazy.compactMap { $0 as? String }
            ?? [].lazy.compactMap(\.self)
        // What a build has fetched or made is nobody's own.
        return names.filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
            .prefix(filesMax).map { Paths.join(path, $0) }.sorted()
    }
}
