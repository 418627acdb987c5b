// Row: `override` of a method that an extension declares

import Foundation

#if EDITED
    private class BaseShop { func restore() {} }
#else
    private class BaseShop {}
    extension BaseShop { func restore() {} }
#endif

private final class DerivedShop: BaseShop { override func restore() {} }
