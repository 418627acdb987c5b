// The country an account shops in, and the money it pays with.

/// R55: prices belong to the storefront, not to the language of the device.
package struct StorefrontValue: Sendable, Hashable {
    /// ISO 3166-1 alpha-3, as StoreKit reports it.
    package let countryCode: String
    /// ISO 4217.
    package let currencyCode: String
    /// ISO 3166-1 alpha-2, as locales spell it.
    package let regionCode: String

    package static let unitedStates = StorefrontValue(countryCode: "USA", currencyCode: "USD", regionCode: "US")

    /// Nil for a country that this table does not know.
    package init?(countryCode: String) {
        guard let (region, currency) = Self.known[countryCode] else { return nil }
        self.init(countryCode: countryCode, currencyCode: currency, regionCode: region)
    }

    private init(countryCode: String, currencyCode: String, regionCode: String) {
        self.countryCode = countryCode
        self.currencyCode = currencyCode
        self.regionCode = regionCode
    }

    package static var knownCountryCodes: [String] { known.keys.sorted() }

    private static let known: [String: (region: String, currency: String)] = [
        "ARE": ("AE", "AED"), "ARG": ("AR", "USD"), "AUS": ("AU", "AUD"), "AUT": ("AT", "EUR"),
        "BEL": ("BE", "EUR"), "BGR": ("BG", "EUR"), "BRA": ("BR", "BRL"), "CAN": ("CA", "CAD"),
        "CHE": ("CH", "CHF"), "CHL": ("CL", "CLP"), "CHN": ("CN", "CNY"), "COL": ("CO", "COP"),
        "CZE": ("CZ", "CZK"), "DEU": ("DE", "EUR"), "DNK": ("DK", "DKK"), "EGY": ("EG", "EGP"),
        "ESP": ("ES", "EUR"), "EST": ("EE", "EUR"), "FIN": ("FI", "EUR"), "FRA": ("FR", "EUR"),
        "GBR": ("GB", "GBP"), "GRC": ("GR", "EUR"), "HKG": ("HK", "HKD"), "HRV": ("HR", "EUR"),
        "HUN": ("HU", "HUF"), "IDN": ("ID", "IDR"), "IND": ("IN", "INR"), "IRL": ("IE", "EUR"),
        "ISR": ("IL", "ILS"), "ITA": ("IT", "EUR"), "JPN": ("JP", "JPY"), "KOR": ("KR", "KRW"),
        "LTU": ("LT", "EUR"), "LUX": ("LU", "EUR"), "LVA": ("LV", "EUR"), "MEX": ("MX", "MXN"),
        "MYS": ("MY", "MYR"), "NLD": ("NL", "EUR"), "NOR": ("NO", "NOK"), "NZL": ("NZ", "NZD"),
        "PHL": ("PH", "PHP"), "POL": ("PL", "PLN"), "PRT": ("PT", "EUR"), "ROU": ("RO", "RON"),
        "SAU": ("SA", "SAR"), "SGP": ("SG", "SGD"), "SVK": ("SK", "EUR"), "SVN": ("SI", "EUR"),
        "SWE": ("SE", "SEK"), "THA": ("TH", "THB"), "TUR": ("TR", "TRY"), "TWN": ("TW", "TWD"),
        "UKR": ("UA", "USD"), "USA": ("US", "USD"), "VNM": ("VN", "VND"), "ZAF": ("ZA", "ZAR"),
    ]
}
