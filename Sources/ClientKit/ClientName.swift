// The name of a client that does not set one.
// Pure; any thread.

package enum ClientName {
    /// A type's name as scenarios spell it: `IAPManagerClient` becomes `iap-manager-client`.
    package static func hyphenated(_ type: String) -> String {
        let letters = Array(type)
        var name = ""
        for (place, letter) in letters.enumerated() {
            if letter == "_" || letter == "-" {
                if !name.isEmpty, name.last != "-" { name.append("-") }
                continue
            }
            let endsWord = place > 0 && (letters[place - 1].isLowercase || letters[place - 1].isNumber)
            let endsAcronym =
                place > 0 && letters[place - 1].isUppercase && place + 1 < letters.count
                && letters[place + 1].isLowercase
            if letter.isUppercase, endsWord || endsAcronym, name.last != "-" { name.append("-") }
            name += letter.lowercased()
        }
        return name
    }
}
