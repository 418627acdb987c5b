// Row: members of `AnyObject`

import Foundation

private func length(of item: AnyObject) -> Int? {
    #if EDITED
        (item as? NSString)?.length
    #else
        item.length
    #endif
}
