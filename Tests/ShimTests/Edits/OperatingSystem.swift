// Row: `#if os(iOS)`

import Foundation

#if EDITED
    #if os(iOS) || os(Linux)
        private let restoreTitle = "Restore"
    #endif
#else
    #if os(iOS)
        private let restoreTitle = "Restore"
    #endif
#endif

private let restoreTitles = [restoreTitle]
