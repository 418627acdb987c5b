// Row: `perform(_:with:afterDelay:)`

import Foundation

private final class RetryingShop: NSObject {
    func fail() {
        #if EDITED
            DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [weak self] in self?.retry() }
        #else
            perform(#selector(retry), with: nil, afterDelay: 5)
        #endif
    }

    private func retry() {}
}
