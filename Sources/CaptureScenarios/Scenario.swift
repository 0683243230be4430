public import CaptureHAL
public import MediaTypes
public import SimDevices

/// A test of a capture session, written in YAML: the simulated devices, the session, a timeline of actions, and
/// expectations.
public struct Scenario: Sendable, Hashable {
    /// The version of the file format that this code reads.
    public static let version = 1

    /// A one-line title.
    public var name: String
    /// The seed of the random number generators.
    public var seed: UInt64
    /// The simulated environment.
    public var devices: Devices
    /// The session under test. If the scenario describes no session, this has its default value, and an app creates its
    /// own sessions.
    public var session: Session
    /// Whether only an app can play the scenario: it describes no session, or contains the action `app`.
    public var needsApp = false
    /// The steps in ascending order of time. Steps with the same time are performed in this order.
    public var timeline: [Step]
    /// The duration of the scenario.
    public var end: CMTime
    /// What the scenario expects of a run.
    public var expectations: [Expectation] = []

    /// The simulated devices, storage and authorization.
    public struct Devices: Sendable, Hashable {
        /// The name of a built-in profile, or a file with a path relative to the scenario.
        public var profile: String
        /// The name of a built-in scene, or a file with a path relative to the scenario.
        public var scene: String
        /// The light at the start; nil for the light of the scene.
        public var light: Light?
        /// The camera shake of a handheld device; nil for the shake of the scene.
        public var shake: HandShake?
        /// The initial orientation of a machine with built-in cameras.
        public var orientation = DeviceOrientation.portrait
        /// Whether frames contain the code that `FrameMarker` reads. The log then contains the frame counters.
        public var hasMarker = false
        /// The sound that the microphones capture.
        public var sound = SimSound.scene
        /// The free storage in bytes; nil for the free storage of the machine.
        public var freeByteCount: Int64?
        /// The initial authorization; a missing resource is authorized.
        public var authorization: [ProtectedResource: AuthorizationState]
        /// The user's answers to authorization prompts. A prompt without an answer here is granted immediately.
        public var answers: [ProtectedResource: PromptAnswer] = [:]
        /// The contents of the photo library; nil for an empty one.
        public var library: Library?
        /// The scheduled faults, in addition to those of the profile.
        public var faults: [DeviceFault]
    }

    /// The light of a scene.
    public struct Light: Sendable, Hashable {
        /// Illuminance.
        public var lux: Double
        /// Color temperature.
        public var kelvin: Double
    }

    /// A fault of one device.
    public struct DeviceFault: Sendable, Hashable {
        /// The ID of the device.
        public var device: String
        /// The fault and its trigger.
        public var fault: ScheduledFault
        /// The line in the file, from 1.
        public var line: Int
    }

    /// The session under test.
    public struct Session: Sendable, Hashable {
        /// A kind of output.
        public enum Output: String, Sendable, Hashable, CaseIterable {
            case video, audio, movie, photo, metadata, depth
        }

        /// The raw value of a preset, such as `AVCaptureSessionPreset640x480`.
        public var preset: String
        /// The ID of the camera; nil for the default camera.
        public var camera: String?
        /// Whether the session has an input of the default microphone.
        public var hasMicrophone: Bool
        /// The outputs in the order in which they are added.
        public var outputs: [Output]
        /// The names of the types that the metadata output detects; nil for all that are available.
        public var metadataObjectTypes: [String]?
        /// The cameras of a session with several cameras, each with its own outputs; empty for a session with one
        /// camera. If it is not empty, `camera` is nil, and `outputs` contains at most the audio output.
        public var cameras: [Camera] = []

        /// A camera of a session with several cameras.
        public struct Camera: Sendable, Hashable {
            /// The ID of the device.
            public var device: String
            /// Width and height of the active format in pixels; nil for the device's default format.
            public var size: [Int]?
            /// Frames per second; nil for the default frame rate of the format.
            public var frameRate: Double?
            /// The outputs in the order in which they are added.
            public var outputs: [Output]
        }
    }

    /// An action at a time.
    public struct Step: Sendable, Hashable {
        /// The time since the start of the scenario.
        public var time: CMTime
        /// The action.
        public var action: Action
        /// The ID of the camera that the action applies to, in a session with several cameras; nil for all other
        /// actions.
        public var camera: String?
        /// The line in the file, from 1.
        public var line: Int
    }

    /// An action of the app, such as a call of the session, or a change of its environment.
    public enum Action: Sendable, Hashable {
        case start
        case stop
        /// Records a movie to a file with this name in the folder of the scenario.
        case record(to: String, fragmentInterval: CMTime?, maximumDuration: CMTime?)
        case stopRecording
        case pauseRecording
        case resumeRecording
        /// Captures a photo to a file with this name in the folder of the scenario.
        case photo(to: String, PhotoSettings = PhotoSettings())
        case interrupt(InterruptionReason)
        /// Ends an interruption. `shouldResume` is the option of an audio interruption, which advises the app to
        /// resume.
        case endInterruption(InterruptionReason, shouldResume: Bool? = nil)
        /// The user leaves the app, or returns to it.
        case setInBackground(Bool)
        /// Changes the system pressure on all cameras.
        case setSystemPressure(SystemPressure)
        /// A call of the app's audio session.
        case audioSession(AudioSessionCall)
        /// Disconnects the device with the ID.
        case disconnect(String)
        /// Reconnects the device with the ID.
        case reconnect(String)
        /// Replaces the camera of the session.
        case switchCamera(String)
        /// Sets the free storage in bytes.
        case setFreeSpace(Int64)
        /// Rotates the machine.
        case rotate(DeviceOrientation)
        case setAuthorization(ProtectedResource, AuthorizationState)
        /// Injects a fault into the device with the ID.
        case fault(SimFault, device: String)
        /// Changes the configuration or external conditions.
        case change(Change)
        /// Changes a setting of the session's camera.
        case camera(CameraControl)
        /// Changes a setting of an output's connection.
        case connection(ConnectionSetting)
        /// Sets the virtual time that each callback of the video output takes.
        case setCallbackDuration(CMTime)
        /// Requests the authorization, as an app does.
        case requestAuthorization(ProtectedResource)
        /// Sets the user's answer to later prompts and its delay. A nil state means that the user never answers.
        case setAnswer(ProtectedResource, AuthorizationState?, after: CMTime?)
        /// Changes the illuminance in lux and the color temperature in kelvins of the scene's light over a duration;
        /// immediately if `over` is nil. A nil `lux` or `temperature` keeps the current value.
        case setLight(lux: Double?, temperature: Double?, over: CMTime?)
        /// Replaces the scene in front of the cameras with a built-in scene, or with a scene file.
        case setScene(String)
        /// Moves, shows or hides an object of the scene.
        case changeSceneObject(SceneObjectChange)
        /// Saves a file of the scenario in the photo library, and adds it to the album with a title if `album` is not
        /// nil.
        case createAsset(file: String, album: String?)
        /// Fetches the assets of the photo library.
        case fetchAssets
        /// Makes the photo library available or unavailable.
        case setLibraryAvailable(Bool)
        /// Sets what the user does with open and later pickers, and the delay: the user selects a number of the newest
        /// assets, or closes the picker if it is nil.
        case pickPhotos(PhotoPicker, newest: Int?, after: CMTime?)
        /// A custom action of the app, with a value for it.
        case app(action: String, value: String?)
    }
}
