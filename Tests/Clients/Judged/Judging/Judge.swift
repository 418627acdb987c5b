// What a client stands for that the audit is tried on.
// Plain values; any thread.

import Stampede

/// A client of which somebody has decided beforehand whether it is correct.
public struct Judge: Sendable {
    public let client: any StoreClient.Type
    /// What it does otherwise than most, in one sentence.
    public let mechanism: String
    /// Where such code was met: a page's address, or a document's name and section.
    public let source: String

    public var name: String { client.name }

    public init(_ client: any StoreClient.Type, _ mechanism: String, source: String) {
        self.client = client
        self.mechanism = mechanism
        self.source = source
    }
}
