// Row: `responds(to:)` and `Selector`

import Foundation

private protocol Restoring { func restore() }

private func restore(_ shop: NSObject) {
    #if EDITED
        (shop as? any Restoring)?.restore()
    #else
        if shop.responds(to: Selector(("restore"))) { (shop as? any Restoring)?.restore() }
    #endif
}
