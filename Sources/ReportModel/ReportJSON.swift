// How every report is written as JSON.
// Pure; any thread.

package import Foundation

/// A report that can be written as JSON.
package protocol JSONReport: Encodable {
    /// Keys sorted, in snake case; equal reports give equal bytes.
    func json() throws -> Data
}

extension JSONReport {
    package func json() throws -> Data { try ReportJSON.encode(self) }
}

package enum ReportJSON {
    /// Keys sorted, in snake case, a line break at the end; equal values give equal bytes.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var data = try encoder.encode(value)
        data.append(0x0A)
        return data
    }

    /// Reads what `encode` wrote.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: data)
    }
}
