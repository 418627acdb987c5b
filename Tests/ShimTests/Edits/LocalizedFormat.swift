// Row: `NSString.localizedStringWithFormat`

import Foundation

#if EDITED
    private let livesLeft = String.localizedStringWithFormat("%d lives", 3)
#else
    private let livesLeft = NSString.localizedStringWithFormat("%d lives", 3)
#endif
