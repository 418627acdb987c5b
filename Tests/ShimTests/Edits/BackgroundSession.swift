// Row: `URLSessionConfiguration.background(withIdentifier:)`

import Foundation
import FoundationNetworking

#if EDITED
    private let downloads = URLSessionConfiguration.default
#else
    private let downloads = URLSessionConfiguration.background(withIdentifier: "downloads")
#endif
