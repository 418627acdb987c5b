// Row: `CFAbsoluteTimeGetCurrent()`

import Foundation

#if EDITED
    private let startOfRequest = Date.timeIntervalSinceReferenceDate
#else
    private let startOfRequest = CFAbsoluteTimeGetCurrent()
#endif
