// Row: `@objc` and `@objcMembers`, on classes and their members

import Foundation

#if EDITED
    private final class CoinShop: NSObject {
        func buy() {}
    }
#else
    @objcMembers private final class CoinShop: NSObject {
        @objc func buy() {}
    }
#endif
