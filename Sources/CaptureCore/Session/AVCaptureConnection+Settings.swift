import Foundation
import MediaTypes

// The settings of a connection.
//
// The header of `beginConfiguration` says that "all changes will be pended until the client calls" the outermost
// commit: a new setting can be read immediately and takes effect with the commit.
extension AVCaptureConnection {
    /// The properties that apply with the commit of the session's transaction.
    struct Settings: Equatable, Sendable {
        var isEnabled = true
        /// Clockwise degrees: 0, 90, 180 or 270.
        var rotationAngle = 0
        var isMirrored = false
        var adjustsMirroring = false
        var preferredStabilization = AVCaptureVideoStabilizationMode.off
        /// The magnification of photos, at least 1.
        var scaleAndCropFactor: CGFloat = 1
        /// The shortest time between the frames of a data output; invalid sets no limit.
        var minimumFrameDuration = CMTime.invalid
        /// Whether frames have the intrinsic matrix of their camera as an attachment.
        var deliversIntrinsicMatrix = false

        /// Returns the names of the observable properties that differ between two settings.
        func properties(differingFrom other: Settings) -> Set<String> {
            var names: Set<String> = []
            if isEnabled != other.isEnabled { names.insert("isEnabled") }
            if rotationAngle != other.rotationAngle { names.insert("videoRotationAngle") }
            if isMirrored != other.isMirrored { names.insert("isVideoMirrored") }
            if adjustsMirroring != other.adjustsMirroring { names.insert("automaticallyAdjustsVideoMirroring") }
            if preferredStabilization != other.preferredStabilization {
                names.insert("preferredVideoStabilizationMode")
            }
            if scaleAndCropFactor != other.scaleAndCropFactor { names.insert("videoScaleAndCropFactor") }
            if minimumFrameDuration != other.minimumFrameDuration { names.insert("videoMinFrameDuration") }
            if deliversIntrinsicMatrix != other.deliversIntrinsicMatrix {
                names.insert("isCameraIntrinsicMatrixDeliveryEnabled")
            }
            return names
        }
    }

    /// The settings of a connection before a commit.
    struct ReplacedSettings: Sendable {
        let connection: AVCaptureConnection
        let settings: Settings
    }

    /// The settings that clients read, active or pending.
    var latestSettings: Settings { state.withLock { $0.pending ?? $0.settings } }

    /// The active `videoScaleAndCropFactor`, without a change that waits for a commit.
    var activeScaleAndCropFactor: CGFloat { state.withLock { $0.settings.scaleAndCropFactor } }

    /// Changes the settings: immediately, or with the commit if a transaction of the session is open.
    ///
    /// - Returns: Whether the change is active.
    @discardableResult
    func changeSettings(_ change: (inout Settings) -> Void) -> Bool {
        func apply() { state.withLock { change(&$0.settings) } }
        guard let session = consumer?.session else {
            apply()
            return true
        }
        // The session's lock is held, so that no commit happens between the check and the change.
        return session.state.withLock { session in
            guard session.transaction.isOpen else {
                apply()
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

    /// Activates the pending settings.
    ///
    /// - Returns: The previously active settings; nil if no settings were pending.
    func activatePendingSettings() -> ReplacedSettings? {
        state.withLock { state in
            guard let new = state.pending else { return nil }
            let old = state.settings
            state.pending = nil
            state.settings = new
            return ReplacedSettings(connection: self, settings: old)
        }
    }
}

extension AVCaptureConnection.ReplacedSettings {
    /// Notifies the output if the connection was enabled or disabled.
    func notifyOutput() {
        if connection.passesMedia != settings.isEnabled { connection.consumer?.connectionDidChange(connection) }
    }

    /// Restores the settings.
    ///
    /// - Returns: The changed properties, for `notifyRestored(_:)`.
    func restore() -> Set<String> {
        connection.state.withLock { state in
            defer { state.settings = settings }
            return state.settings.properties(differingFrom: settings)
        }
    }

    /// Notifies the observers of the properties that `restore()` changed, and the output if `restore()` enabled or
    /// disabled the connection.
    func notifyRestored(_ names: Set<String>) {
        if names.contains("isEnabled") { connection.consumer?.connectionDidChange(connection) }
        connection.observedProperties.changed(names)
    }
}
