// Row: `NSHashTable`, `NSMapTable` and `NSPointerArray` of weak objects

import Foundation

#if EDITED
    private struct WeakListener { weak var listener: AnyObject? }
    private let listeners: [WeakListener] = []
#else
    private let listeners = NSHashTable<AnyObject>.weakObjects()
#endif
