// Row: `setValue(_:forKey:)` and `value(forKey:)` of an object of the app

import Foundation

private final class Account: NSObject { var lives = 0 }

private func fill(_ account: Account) {
    #if EDITED
        account[keyPath: \.lives] = 3
    #else
        account.setValue(3, forKey: "lives")
    #endif
}
