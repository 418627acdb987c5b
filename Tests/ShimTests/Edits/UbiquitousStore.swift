// Row: `NSUbiquitousKeyValueStore`

import Foundation

private func keepInCloud(_ coins: Int) {
    #if EDITED
        UserDefaults.standard.set(coins, forKey: "coins")
    #else
        NSUbiquitousKeyValueStore.default.set(coins, forKey: "coins")
    #endif
}
