public import CaptureHAL
public import MediaTypes
public import SimDevices

/// A story for a simulated capture system: what is there, what is done, what happens, and when.
public struct Scenario: Sendable, Hashable {
    /// The version of the file format that this code reads.
    public static let version = 1

    /// One line for a person.
    public var name: String
    public var seed: UInt64
    public var devices: Devices
    public var session: Session
    /// Ascending by time; those of one time happen in this order.
    public var timeline: [Step]
    /// How long the story lasts.
    public var end: CMTime

    /// The simulated world.
    public struct Devices: Sendable, Hashable {
        /// A profile's name, or a file beside the scenario.
        public var profile: String
        /// A scene's name, or a file beside the scenario.
        public var scene: String
        /// How the cameras are held; nil for what the scene says.
        public var shake: HandShake?
        /// Bytes that can be written; nil is as many as the machine has.
        public var freeByteCount: Int64?
        public var authorization: [ProtectedResource: AuthorizationState]
        /// What goes wrong on devices, beside what their profile says.
        public var faults: [DeviceFault]
    }

    /// A fault of one device.
    public struct DeviceFault: Sendable, Hashable {
        /// The device's id.
        public var device: String
        public var fault: ScheduledFault
        /// Where it stands in its file, from 1.
        public var line: Int
    }

    /// The session under test.
    public struct Session: Sendable, Hashable {
        public enum Output: String, Sendable, Hashable, CaseIterable {
            case video, audio, movie, photo
        }

        /// The raw value of a preset, as `AVCaptureSessionPreset640x480`.
        public var preset: String
        /// The camera's id, nil for the default one.
        public var camera: String?
        public var hasMicrophone: Bool
        public var outputs: [Output]
    }

    /// Something that is done or happens at a time.
    public struct Step: Sendable, Hashable {
        public var time: CMTime
        public var action: Action
        /// Where the step stands in its file, from 1.
        public var line: Int
    }

    public enum Action: Sendable, Hashable {
        case start
        case stop
        /// Into a file of that name in the scenario's own folder.
        case record(to: String, fragmentInterval: CMTime?, maximumDuration: CMTime?)
        case stopRecording
        case pauseRecording
        case resumeRecording
        /// Into a file of that name in the scenario's own folder.
        case photo(to: String)
        case interrupt(InterruptionReason)
        case endInterruption(InterruptionReason)
        /// The device with that id.
        case disconnect(String)
        case reconnect(String)
        /// Takes another camera into the session.
        case switchCamera(String)
        /// Bytes that can be written from now on.
        case free(Int64)
        case setAuthorization(ProtectedResource, AuthorizationState)
        /// Something goes wrong on the device with that id, from now on.
        case fault(SimFault, device: String)
        case change(Change)
    }
}
