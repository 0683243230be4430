import Foundation
import MediaTypes

/// What a client sets on a connection, and when it takes effect.
///
/// As the header of `beginConfiguration` says, "all changes will be pended until the client calls" the outermost commit:
/// what is set meanwhile reads back at once, and does nothing before.
extension AVCaptureConnection {
    struct Settings: Equatable, Sendable {
        var isEnabled = true
        /// Clockwise degrees: 0, 90, 180 or 270.
        var rotationAngle = 0
        var isMirrored = false
        var adjustsMirroring = true
        var preferredStabilization = AVCaptureVideoStabilizationMode.off
        /// How far photos are enlarged.
        var scaleAndCropFactor: CGFloat = 1
        /// The least time between the frames of a data output; invalid sets no limit.
        var minimumFrameDuration = CMTime.invalid
        /// Whether frames tell how their camera draws.
        var deliversIntrinsicMatrix = false
    }

    /// Settings that a commit has replaced.
    struct Replaced: Sendable {
        let connection: AVCaptureConnection
        let settings: Settings
    }

    /// What the client has set last, in force or not.
    var latestSettings: Settings { state.withLock { $0.pending ?? $0.settings } }

    /// `videoScaleAndCropFactor` as it is in force.
    var presentScaleAndCropFactor: CGFloat { state.withLock { $0.settings.scaleAndCropFactor } }

    /// Changes what is set: at once, or with the commit where the session's configuration is open.
    ///
    /// - Returns: Whether it is in force.
    @discardableResult
    func set(_ change: (inout Settings) -> Void) -> Bool {
        func setNow() { state.withLock { change(&$0.settings) } }
        guard let session = consumer?.session else {
            setNow()
            return true
        }
        // Under the session's lock, so that no commit comes between.
        return session.state.withLock { session in
            guard session.draft != nil else {
                setNow()
                return true
            }
            state.withLock { state in
                var new = state.pending ?? state.settings
                change(&new)
                state.pending = new
            }
            return false
        }
    }

    /// Puts what waits in force.
    ///
    /// - Returns: What was in force before; nil where nothing waited.
    func takePending() -> Replaced? {
        state.withLock { state in
            guard let new = state.pending else { return nil }
            let old = state.settings
            state.pending = nil
            state.settings = new
            return Replaced(connection: self, settings: old)
        }
    }
}

extension AVCaptureConnection.Replaced {
    /// Tells the output where the connection was switched on or off.
    func tellOutput() {
        if connection.carries != settings.isEnabled { connection.consumer?.connectionDidChange(connection) }
    }

    /// Puts the settings in force again.
    ///
    /// - Returns: Whether this switches the connection on or off, to be told with `tellRestored()`.
    func restore() -> Bool {
        connection.state.withLock { state in
            defer { state.settings = settings }
            return state.settings.isEnabled != settings.isEnabled
        }
    }

    func tellRestored() {
        connection.consumer?.connectionDidChange(connection)
        connection.observedProperties.changed(["isEnabled"])
    }
}
