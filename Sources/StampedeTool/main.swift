// The `stampede` command with the built-in clients.

import Stampede

Stampede.main()
