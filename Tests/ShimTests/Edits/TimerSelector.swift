// Row: `Timer` with a target and a selector

import Foundation

private final class RenewalPoll: NSObject {
    func start() {
        #if EDITED
            _ = Timer.scheduledTimer(withTimeInterval: 60, repeats: true) { [weak self] in self?.look($0) }
        #else
            _ = Timer.scheduledTimer(
                timeInterval: 60, target: self, selector: #selector(look), userInfo: nil, repeats: true)
        #endif
    }

    private func look(_ timer: Timer) {}
}
