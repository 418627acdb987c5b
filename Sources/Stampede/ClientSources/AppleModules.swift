// Names that other imports bring along on Apple's systems, by the product that has them here.
// Constants.

struct AppleModule {
    /// The product, and its module.
    let name: String
    /// Imports that bring the names on Linux.
    let imports: Set<String>
    /// Imports that bring the names on Apple's systems.
    let bringers: Set<String>
    let names: Set<String>

    /// Modules of Apple's that are products of this package.
    static let products: Set<String> = [
        "Combine", "Network", "OSLog", "Security", "StoreKit", "StoreKitTest", "SwiftUI", "SystemConfiguration",
        "UIKit", "os",
    ]

    /// In the order in which a file lists them.
    static let all = [networking, keychain, foundation, combine, swiftUI, uiKit]

    private static let foundationBringers: Set<String> = [
        "Combine", "Foundation", "StoreKit", "SwiftUI", "UIKit",
    ]

    private static let networking = AppleModule(
        name: "AppleFoundation", imports: ["AppleFoundation", "FoundationNetworking"], bringers: foundationBringers,
        names: [
            "CachedURLResponse", "HTTPCookie", "HTTPCookieStorage", "HTTPURLResponse", "NSMutableURLRequest",
            "NSURLRequest", "URLAuthenticationChallenge", "URLCache", "URLCredential", "URLProtocol", "URLRequest",
            "URLResponse", "URLSession", "URLSessionConfiguration", "URLSessionDataDelegate", "URLSessionDataTask",
            "URLSessionDelegate", "URLSessionDownloadTask", "URLSessionTask", "URLSessionTaskDelegate",
            "URLSessionUploadTask",
        ])

    private static let keychain = AppleModule(
        name: "AppleFoundation", imports: ["AppleFoundation", "Security"], bringers: foundationBringers,
        names: [
            "SecCopyErrorMessageString", "SecItemAdd", "SecItemCopyMatching", "SecItemDelete", "SecItemUpdate",
            "SecRandomCopyBytes", "errSecDuplicateItem", "errSecItemNotFound", "errSecSuccess", "kSecAttrAccount",
            "kSecAttrService", "kSecClass", "kSecClassGenericPassword", "kSecReturnData", "kSecValueData",
        ])

    private static let foundation = AppleModule(
        name: "AppleFoundation", imports: ["AppleFoundation"], bringers: foundationBringers,
        names: [
            "DateComponentsFormatter", "autoreleasepool", "formatterBehavior", "isMacCatalystApp", "isiOSAppOnMac",
            "objc_getAssociatedObject", "objc_setAssociatedObject",
        ])

    private static let combine = AppleModule(
        name: "Combine", imports: ["Combine", "OpenCombine", "StoreKit", "SwiftUI"], bringers: foundationBringers,
        names: ["AnyCancellable", "ObservableObject", "ObservableObjectPublisher", "Published"])

    private static let swiftUI = AppleModule(
        name: "SwiftUI", imports: ["SwiftUI"], bringers: [],
        names: [
            "AppStorage", "Bindable", "Binding", "EnvironmentKey", "EnvironmentValues", "ObservedObject", "StateObject",
            "withAnimation",
        ])

    private static let uiKit = AppleModule(
        name: "UIKit", imports: ["SwiftUI", "UIKit"], bringers: ["StoreKit"],
        names: [
            "UIAlertAction", "UIAlertController", "UIApplication", "UIApplicationDelegate",
            "UIBackgroundTaskIdentifier", "UIDevice", "UIResponder", "UIScene", "UIViewController", "UIWindow",
        ])
}
