import AssetTypes
import CaptureHAL
public import Foundation
import MediaTypes

/// Opens the Desk View application of macOS, which Linux does not have.
public final class AVCaptureDeskViewApplication: NSObject, Sendable {
    /// Options for opening the application.
    public final class LaunchConfiguration: NSObject, Sendable {
        private struct Settings: Sendable {
            var frame = CGRect.zero
            var requiresSetUp = false
        }

        private let settings = Lock(Settings())

        public override init() { super.init() }

        /// The frame of the window on the screen; zero, the default, selects the last frame.
        public var mainWindowFrame: CGRect {
            get { settings.withLock { $0.frame } }
            set { settings.withLock { $0.frame = newValue } }
        }

        /// Whether the completion handler is called after the user has set up the view; false by default.
        public var requiresSetUpModeCompletion: Bool {
            get { settings.withLock { $0.requiresSetUp } }
            set { settings.withLock { $0.requiresSetUp = newValue } }
        }
    }

    private let system = CaptureSystem.current
    private let callbackQueue = DispatchQueue(label: "AVCaptureDeskViewApplication callbacks")

    public override init() { super.init() }

    /// Fails, since there is no application to open: the handler receives `AVError.operationNotAllowed` on a private
    /// queue.
    @preconcurrency
    public func present(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
        present(launchConfiguration: LaunchConfiguration(), completionHandler: completionHandler)
    }

    /// Fails, since there is no application to open: the handler receives `AVError.operationNotAllowed` on a private
    /// queue.
    @preconcurrency
    public func present(
        launchConfiguration: LaunchConfiguration, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard let completionHandler else { return }
        system.deliver(on: callbackQueue) {
            completionHandler(AVError(.operationNotAllowed, "Linux has no Desk View application"))
        }
    }
}
