// Row: `NSException`

import Foundation

private func requireProducts(_ count: Int) {
    #if EDITED
        if count == 0 { fatalError("no products") }
    #else
        if count == 0 { NSException(name: .genericException, reason: "no products", userInfo: nil).raise() }
    #endif
}
