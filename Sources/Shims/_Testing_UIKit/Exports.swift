// Swift imports this module into every file that imports both Testing and UIKit. On Apple's systems it attaches
// pictures. Here it is empty; without a module of this name such a file would not build.

@_exported public import UIKit
