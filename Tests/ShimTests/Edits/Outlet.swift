// Row: `@IBOutlet`

import Foundation

private final class PaywallView: NSObject {
    #if EDITED
        weak var price: NSObject?
    #else
        @IBOutlet weak var price: NSObject?
    #endif
}
