// The one file that a module adds, for all of its files to have what Foundation has on Apple's systems.

@_exported import AppleFoundation
