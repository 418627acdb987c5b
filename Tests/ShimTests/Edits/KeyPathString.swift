// Row: `#keyPath`

import Foundation

private final class Basket: NSObject { var count = 0 }

#if EDITED
    private let basketKey = "count"
#else
    private let basketKey = #keyPath(Basket.count)
#endif
