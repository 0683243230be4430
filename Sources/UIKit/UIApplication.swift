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
    /// The time for background tasks in seconds.
    private static let backgroundDuration: Int64 = 30

    private struct Task {
        let expire: (@MainActor @Sendable () -> Void)?
    }

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
    private let interruptions: Interruptions
    private let orientation: OrientationSensor
    private var observation: ObserverToken?
    private var tasks: [Int: Task] = [:]
    private var lastTask = 0
    private var expiry: CMTime?
    private var expiryTimer: ClockTimer?

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
        interruptions = system.interruptions
        orientation = system.orientation
        applicationState = Self.isInBackground(system.interruptions) ? .background : .active
        super.init()
    }

    private nonisolated static func isInBackground(_ interruptions: Interruptions) -> Bool {
        interruptions.active.contains(.notAvailableInBackground)
    }

    private func observe() {
        observation = interruptions.observe { [weak self, system] active in
            let isInBackground = active.contains(.notAvailableInBackground)
            system.deliver(on: .main) {
                MainActor.assumeIsolated { self?.setInBackground(isInBackground) }
            }
        }
    }

    private func setInBackground(_ isInBackground: Bool) {
        guard isInBackground != (applicationState == .background) else { return }
        if isInBackground {
            delegate?.applicationWillResignActive(self)
            center.post(name: Self.willResignActiveNotification, object: self)
            applicationState = .background
            startExpiry()
            delegate?.applicationDidEnterBackground(self)
            center.post(name: Self.didEnterBackgroundNotification, object: self)
        } else {
            expiryTimer?.cancel()
            (expiry, expiryTimer) = (nil, nil)
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

    /// Begins a task. In the background, its handler is called when no time remains.
    public func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        lastTask += 1
        tasks[lastTask] = Task(expire: handler)
        return UIBackgroundTaskIdentifier(rawValue: lastTask)
    }

    public func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        beginBackgroundTask(withName: nil, expirationHandler: handler)
    }

    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { tasks[identifier.rawValue] = nil }

    /// In seconds; `greatestFiniteMagnitude` in the foreground.
    public var backgroundTimeRemaining: TimeInterval {
        expiry.map { max(0, ($0 - clock.now).seconds) } ?? .greatestFiniteMagnitude
    }

    private func startExpiry() {
        let due = clock.now + CMTime(value: Self.backgroundDuration, timescale: 1)
        expiry = due
        expiryTimer = clock.schedule(at: due) { [weak self, system] in
            system.deliver(on: .main) {
                MainActor.assumeIsolated { self?.expireTasks() }
            }
        }
    }

    private func expireTasks() {
        guard applicationState == .background else { return }
        for (_, task) in tasks.sorted(by: { $0.key < $1.key }) { task.expire?() }
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
