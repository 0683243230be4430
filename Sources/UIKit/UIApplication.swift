import CaptureHAL
public import Foundation
import MediaTypes

/// The app: its state, windows, background tasks and opened URLs.
///
/// An app is in the background while the capture system has the interruption `notAvailableInBackground`.
@preconcurrency @MainActor
public final class UIApplication: UIResponder {
    public enum State: Int, Hashable, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    // swift-format-ignore: TypeNamesShouldBeCapitalized
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    public nonisolated static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    public nonisolated static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    public nonisolated static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// The URL of the app's page in the settings.
    public nonisolated static let openSettingsURLString = "app-settings:"

    public weak var delegate: (any UIApplicationDelegate)?
    /// Stored, without effect.
    public var isIdleTimerDisabled = false
    public var applicationIconBadgeNumber = 0
    /// The URLs that were passed to `open` and can be opened.
    public private(set) var openedURLs: [URL] = []
    public private(set) var applicationState: State

    private let system: SystemReference
    private let clock: any CaptureClock
    private let center: NotificationCenter
    private let backgroundExecution: BackgroundExecution
    private let orientation: OrientationSensor
    private var observation: ObserverToken?

    /// The application of the caller's capture system.
    public class var shared: UIApplication {
        let system = CaptureSystem.current
        let holder = system.component(Holder.self) { Holder() }
        if let application = holder.application { return application }
        let application = UIApplication(system)
        holder.application = application
        application.observe()
        return application
    }

    /// Stores the application of a system. The application is created without holding the lock of the components.
    private final class Holder: Sendable {
        @MainActor var application: UIApplication?
    }

    private init(_ system: CaptureSystem) {
        self.system = system.reference
        clock = system.clock
        center = system.notificationCenter
        backgroundExecution = .of(system)
        orientation = system.orientation
        applicationState = backgroundExecution.isInBackground ? .background : .active
        super.init()
    }

    private func observe() {
        observation = backgroundExecution.observeTransitions { [weak self] isInBackground in
            MainActor.assumeIsolated { self?.setInBackground(isInBackground) }
        }
    }

    private func setInBackground(_ isInBackground: Bool) {
        guard isInBackground != (applicationState == .background) else { return }
        if isInBackground {
            delegate?.applicationWillResignActive(self)
            center.post(name: Self.willResignActiveNotification, object: self)
            applicationState = .background
            delegate?.applicationDidEnterBackground(self)
            center.post(name: Self.didEnterBackgroundNotification, object: self)
        } else {
            delegate?.applicationWillEnterForeground(self)
            center.post(name: Self.willEnterForegroundNotification, object: self)
            applicationState = .active
            delegate?.applicationDidBecomeActive(self)
            center.post(name: Self.didBecomeActiveNotification, object: self)
        }
    }

    /// The orientation of the user interface, which follows the device unless it is locked.
    public var statusBarOrientation: UIInterfaceOrientation { UIInterfaceOrientation(orientation.interface) }

    // MARK: Windows

    /// The visible windows from back to front.
    public internal(set) var windows: [UIWindow] = []
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    /// The scene of the app; there is one.
    public var connectedScenes: Set<UIScene> { [scene] }
    private let scene = UIWindowScene()

    // MARK: Background tasks

    /// Begins a task. While a task is active, media work such as writing and exporting continues in the background.
    ///
    /// - Parameter handler: Called if the task is active after 30 s in the background; then the work is suspended.
    public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        let number = backgroundExecution.beginTask { MainActor.assumeIsolated { handler?() } }
        return UIBackgroundTaskIdentifier(rawValue: number)
    }

    public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    /// Ends a task. In the background, the end of the last task suspends media work.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        backgroundExecution.endTask(identifier.rawValue)
    }

    /// In seconds; `greatestFiniteMagnitude` in the foreground.
    public var backgroundTimeRemaining: TimeInterval {
        backgroundExecution.expiry.map { max(0, ($0 - clock.now).seconds) } ?? .greatestFiniteMagnitude
    }

    // MARK: URLs

    public func canOpenURL(_ url: URL) -> Bool { url.scheme != nil }

    /// Adds the URL to `openedURLs`; nothing is opened. `open(_:options:completionHandler:)` replaces it.
    @discardableResult
    public func openURL(_ url: URL) -> Bool {
        open(url)
        return canOpenURL(url)
    }

    /// Adds the URL to `openedURLs`; nothing is opened.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let isPossible = canOpenURL(url)
        if isPossible { openedURLs.append(url) }
        guard let completion else { return }
        system.deliver(on: .main) { MainActor.assumeIsolated { completion(isPossible) } }
    }
}

/// Receives the changes of the app's state before the notifications.
@preconcurrency @MainActor
public protocol UIApplicationDelegate: AnyObject {
    func applicationDidBecomeActive(_ application: UIApplication)
    func applicationWillResignActive(_ application: UIApplication)
    func applicationDidEnterBackground(_ application: UIApplication)
    func applicationWillEnterForeground(_ application: UIApplication)
}

extension UIApplicationDelegate {
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
}

/// A background task of the application.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
