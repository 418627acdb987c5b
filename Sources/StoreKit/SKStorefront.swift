// The country whose App Store the user shops in.
// Constants, except values that a test sets by key before it shares the object; any thread.

public import Foundation
import Simulation

/// The App Store of one country.
open class SKStorefront: NSObject, @unchecked Sendable {  // Guard: constants.
    /// Set where the storefront is made, and never again.
    private var storefront: StorefrontValue?
    private var keyed = KeyedValues()

    /// A storefront of no country, for subclasses that override the getters.
    public override init() {
        storefront = nil
        super.init()
    }

    convenience init(_ storefront: StorefrontValue) {
        self.init()
        self.storefront = storefront
    }

    /// The country's code in ISO 3166-1 alpha-3, such as "USA".
    open var countryCode: String { keyed["countryCode"] ?? storefront?.countryCode ?? "" }
    /// The store's own number for the country, such as "143441".
    open var identifier: String {
        keyed["identifier"] ?? storefront.flatMap { Self.identifiers[$0.countryCode] } ?? ""
    }

    /// Sets a property by key, for a storefront that a test has made.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "countryCode", "identifier": keyed.set(key, to: value, as: String.self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }

    /// The numbers as the store's servers write them in their headers.
    private static let identifiers = [
        "ARE": "143481", "ARG": "143505", "AUS": "143460", "AUT": "143445", "BEL": "143446", "BGR": "143526",
        "BRA": "143503", "CAN": "143455", "CHE": "143459", "CHL": "143483", "CHN": "143465", "COL": "143501",
        "CZE": "143489", "DEU": "143443", "DNK": "143458", "EGY": "143516", "ESP": "143454", "EST": "143518",
        "FIN": "143447", "FRA": "143442", "GBR": "143444", "GRC": "143448", "HKG": "143463", "HRV": "143494",
        "HUN": "143482", "IDN": "143476", "IND": "143467", "IRL": "143449", "ISR": "143491", "ITA": "143450",
        "JPN": "143462", "KOR": "143466", "LTU": "143520", "LUX": "143451", "LVA": "143519", "MEX": "143468",
        "MYS": "143473", "NLD": "143452", "NOR": "143457", "NZL": "143461", "PHL": "143474", "POL": "143478",
        "PRT": "143453", "ROU": "143487", "SAU": "143479", "SGP": "143464", "SVK": "143496", "SVN": "143499",
        "SWE": "143456", "THA": "143475", "TUR": "143480", "TWN": "143470", "UKR": "143492", "USA": "143441",
        "VNM": "143471", "ZAF": "143472",
    ]
}
