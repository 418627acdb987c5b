// Row: a value where `AnyObject` is wanted

import Foundation

#if EDITED
    private let isConsumable: AnyObject = true as AnyObject
#else
    private let isConsumable: AnyObject = true
#endif
