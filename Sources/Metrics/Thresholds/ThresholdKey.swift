// The metric that a threshold is about, with the tag that selects a part of it.
// Pure value; any thread.

/// Parsed from `purchase_duration` or `violations{rule:lost-purchase}`.
package struct ThresholdKey: Sendable, Equatable {
    package let metric: MetricName
    package let tag: MetricTag?
    /// As written.
    package let source: String

    package init(metric: MetricName, tag: MetricTag?, source: String) {
        self.metric = metric
        self.tag = tag
        self.source = source
    }

    /// Offsets in the error count Unicode scalars of the key.
    package init(parsing text: String) throws(ThresholdSyntaxError) {
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
            self.init(metric: metric, tag: nil, source: text)
            return
        }
        guard rest.last == "}" else { throw failure(.malformedTag, at: rest) }
        let inside = rest.dropFirst().dropLast()
        guard let colon = inside.firstIndex(of: ":") else { throw failure(.malformedTag, at: rest) }
        let tagName = inside[..<colon]
        let value = inside[inside.index(after: colon)...]
        guard metric.tagNames.contains(String(tagName)) else {
            throw failure(.unknownTag(String(tagName), of: metric), at: tagName)
        }
        guard !value.isEmpty, value.utf8.allSatisfy(Self.isTagByte) else {
            throw failure(.malformedTagValue(String(value)), at: value)
        }
        self.init(metric: metric, tag: MetricTag(name: String(tagName), value: String(value)), source: text)
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
