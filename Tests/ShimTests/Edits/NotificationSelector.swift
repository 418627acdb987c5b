// Row: `addObserver(_:selector:name:object:)` and `#selector`

import Foundation

private final class LaunchListener: NSObject {
    private var token: (any NSObjectProtocol)?

    func start(_ name: Notification.Name) {
        #if EDITED
            token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] in
                self?.enter($0)
            }
        #else
            NotificationCenter.default.addObserver(self, selector: #selector(enter), name: name, object: nil)
        #endif
    }

    private func enter(_ notification: Notification) {}
}
