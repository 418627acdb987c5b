// View controllers as purchase code meets them: something that shows an alert. There is no screen, and nobody taps.
// On the main actor; what is `nonisolated` on any thread.

public import Foundation

/// Who hears of events, were there any.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }

    open var next: UIResponder? { nil }
}

/// Part of a screen, of which nothing is drawn.
@preconcurrency @MainActor
open class UIView: UIResponder {
    public var isHidden = false
    public var alpha: CGFloat = 1
    public var isUserInteractionEnabled = true
    public var tag = 0
}

@preconcurrency @MainActor
open class UIViewController: UIResponder {
    public var title: String?
    private var loadedView: UIView?
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?

    /// Made when it is first asked for.
    open var view: UIView! {
        get {
            if loadedView == nil {
                loadView()
                viewDidLoad()
            }
            return loadedView
        }
        set { loadedView = newValue }
    }

    public var viewIfLoaded: UIView? { loadedView }
    public var isViewLoaded: Bool { loadedView != nil }

    open func loadView() { loadedView = UIView() }
    open func loadViewIfNeeded() { _ = view }
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    /// Notes who is presented, and calls `completion` on the main queue a little later. Nobody sees it, and nobody taps.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (@MainActor () -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        finish(completion)
    }

    /// Dismisses whom this one presents; else this one itself.
    open func dismiss(animated flag: Bool, completion: (@MainActor () -> Void)? = nil) {
        let owner = presentedViewController == nil ? presentingViewController : self
        owner?.presentedViewController?.presentingViewController = nil
        owner?.presentedViewController = nil
        finish(completion)
    }

    private func finish(_ completion: (@MainActor () -> Void)?) {
        guard let completion else { return }
        DispatchQueue.main.async { completion() }
    }
}

/// What an alert lets people choose.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }

    public let title: String?
    public let style: Style
    public var isEnabled = true

    /// - Parameter handler: never called, as nobody taps.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
    }
}

@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    public enum Style: Int, Sendable { case actionSheet, alert }

    public var message: String?
    public private(set) var preferredStyle = Style.alert
    public private(set) var actions: [UIAlertAction] = []
    public var preferredAction: UIAlertAction?

    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init()
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    open func addAction(_ action: UIAlertAction) { actions.append(action) }
}
