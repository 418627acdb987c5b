// View controllers as purchase code uses them: objects that show an alert. There is no screen, and no user taps.
// On the main actor; `nonisolated` members on any thread.

public import Foundation

/// An object that receives events, of which there are none here.
@preconcurrency @MainActor
open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }

    open var next: UIResponder? { nil }
}

/// A part of a screen, which is never drawn.
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

    /// The view, made at its first use.
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

    /// Records the presented controller, and calls `completion` on the main queue a little later.
    /// There is no screen: no user sees the controller or taps it.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (@MainActor () -> Void)? = nil
    ) {
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = self
        finish(completion)
    }

    /// Dismisses the controller that this one presents; if there is none, dismisses this one.
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

/// A choice that an alert offers.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    public enum Style: Int, Sendable { case `default`, cancel, destructive }

    public let title: String?
    public let style: Style
    public var isEnabled = true

    /// - Parameter handler: never called, because no user taps.
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
