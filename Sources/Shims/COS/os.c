// SwiftPM wants a source file of every target; this one is there for its module map.

typedef int stampede_os_is_swifts;
