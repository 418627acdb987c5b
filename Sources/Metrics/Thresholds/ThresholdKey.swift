// The metric that a threshold is about, with the tag that selects a part of it.
// Pure value; any thread.

/// Parsed from `purchase_duration`, `violations{rule:lost-purchase}` or `purchase_duration{phase:rush, product:coins}`.
package struct ThresholdKey: Sendable, Equatable {
    package let metric: MetricName
    /// All of them have to fit; no name twice.
    package let tags: [MetricTag]
    /// As written.
    package let source: String

    package init(metric: MetricName, tags: [MetricTag], source: String) {
        self.metric = metric
        self.tags = tags
        self.source = source
    }

    /// Offsets in the error count Unicode scalars of the key.
    ///
    /// - Parameter ownTags: names of tags that the scenario gives to its load entries, besides those there always are.
    package init(parsing text: String, ownTags: [String] = []) throws(ThresholdSyntaxError) {
        func failure(_ fact: ThresholdSyntaxError.Fact, at part: Substring) -> ThresholdSyntaxError {
            let offset = text.unicodeScalars.distance(from: text.startIndex, to: part.startIndex)
            return ThresholdSyntaxError(fact: fact, place: .key, text: text, offset: offset)
        }
        let name = text.prefix { $0 != "{" }
        let rest = text[name.endIndex...]
        guard let metric = MetricName(name: String(name)) else {
            throw failure(.unknownMetric(String(name)), at: name)
        }
        guard !rest.isEmpty else {
            self.init(metric: metric, tags: [], source: text)
            return
        }
        guard rest.last == "}" else { throw failure(.malformedTag, at: rest) }
        let known = metric.tagNames + (metric.tagNames.contains("phase") ? ownTags : [])
        var tags: [MetricTag] = []
        for part in rest.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false) {
            guard let colon = part.firstIndex(of: ":") else { throw failure(.malformedTag, at: rest) }
            let name = Self.trimmed(part[..<colon])
            let value = Self.trimmed(part[part.index(after: colon)...])
            guard known.contains(String(name)) else {
                throw failure(.unknownTag(String(name), of: metric, known: known), at: name)
            }
            guard !value.isEmpty, value.utf8.allSatisfy(Self.isTagByte) else {
                throw failure(.malformedTagValue(String(value)), at: value)
            }
            guard !tags.contains(where: { $0.name == name }) else {
                throw failure(.repeatedTag(String(name)), at: name)
            }
            tags.append(MetricTag(name: String(name), value: String(value)))
        }
        self.init(metric: metric, tags: tags, source: text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
