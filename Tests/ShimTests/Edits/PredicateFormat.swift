// Row: `NSPredicate(format:)`

import Foundation

#if EDITED
    private let coinsOnly = NSPredicate { item, _ in (item as? String)?.hasPrefix("coins") ?? false }
#else
    private let coinsOnly = NSPredicate(format: "SELF BEGINSWITH %@", "coins")
#endif
