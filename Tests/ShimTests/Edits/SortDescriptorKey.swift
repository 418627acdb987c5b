// Row: `NSSortDescriptor(key:ascending:)`

import Foundation

private final class PricedItem: NSObject { var price = 0.0 }

#if EDITED
    private let byPrice = NSSortDescriptor(keyPath: \PricedItem.price, ascending: true)
#else
    private let byPrice = NSSortDescriptor(key: "price", ascending: true)
#endif
