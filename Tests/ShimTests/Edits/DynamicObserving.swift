// Row: `dynamic` and `observe(_:options:changeHandler:)`

import Foundation

#if EDITED
    private final class Wallet: NSObject {
        var coinsChanged: (Int) -> Void = { _ in }
        var coins = 0 { didSet { coinsChanged(coins) } }
    }
    private func follow(_ wallet: Wallet) { wallet.coinsChanged = { print($0) } }
#else
    private final class Wallet: NSObject {
        @objc dynamic var coins = 0
    }
    private func follow(_ wallet: Wallet) -> NSKeyValueObservation { wallet.observe(\.coins) { print($0.coins, $1) } }
#endif
