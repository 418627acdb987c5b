// Row: `containerURL(forSecurityApplicationGroupIdentifier:)`

import Foundation

private func ledgerFolder() -> URL? {
    #if EDITED
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first
    #else
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.shop")
    #endif
}
