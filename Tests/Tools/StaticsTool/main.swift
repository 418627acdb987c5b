// The `stampede` command with a client that looks at its statics; at the end it tells what it found.

import Foundation
import Stampede
import StaticsShop
import StaticsTally

atexit { Tally.show() }
Stampede.main(clients: [StaticsClient.self], statics: .init(exclude: ["StaticsTally"]))
