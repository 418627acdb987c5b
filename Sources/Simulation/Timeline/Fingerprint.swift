// Short digits for a text, the same in every process and on every machine: for names of files and findings.
// Pure; any thread.

/// FNV-1a, which Swift's own hashes cannot stand in for: they are for one process.
package enum Fingerprint {
    /// - Parameter count: hexadecimal digits, at most 8.
    package static func digits(_ text: String, count: Int) -> String {
        precondition((1...8).contains(count), "\(count) digits")
        var hash: UInt32 = 2_166_136_261
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String((String(repeating: "0", count: 8 - digits.count) + digits).suffix(count))
    }
}
