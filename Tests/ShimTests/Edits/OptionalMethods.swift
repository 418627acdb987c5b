// Row: `@objc protocol` with `optional` methods

import Foundation

#if EDITED
    private protocol StoreDelegate: AnyObject { func storeDidRestore() }
    extension StoreDelegate { func storeDidRestore() {} }
#else
    @objc private protocol StoreDelegate { @objc optional func storeDidRestore() }
#endif
