// Row: `ListFormatter`

import Foundation

#if EDITED
    private let perks = ["maps", "lives"].formatted(.list(type: .and))
#else
    private let perks = ListFormatter.localizedString(byJoining: ["maps", "lives"])
#endif
