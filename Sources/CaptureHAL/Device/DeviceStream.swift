public import MediaTypes

/// The configuration that a client requests for a stream.
public struct StreamConfiguration: Sendable, Hashable {
    /// One of the formats of the device.
    public var format: StreamFormat
    /// The time between frames, one that the format supports; for audio the preferred duration of a chunk.
    public var frameDuration: CMTime
    /// The number of frames that clients may retain before the device drops frames because it is out of buffers.
    public var bufferCount: Int
    /// The depth to deliver with the frames; nil, the default, for none.
    public var depth: DepthConfiguration?

    /// Creates a configuration.
    public init(
        format: StreamFormat, frameDuration: CMTime, bufferCount: Int = 16, depth: DepthConfiguration? = nil
    ) {
        self.format = format
        self.frameDuration = frameDuration
        self.bufferCount = bufferCount
        self.depth = depth
    }
}

/// A stream of video or audio from an open device.
///
/// - Important: Thread-safe.
public protocol DeviceStream: AnyObject, Sendable {
    /// The current configuration.
    var configuration: StreamConfiguration { get }
    /// Starts delivery; events arrive in timestamp order and never overlap.
    ///
    /// - Parameter receiver: Called on the host's clock or the stream's own thread, and retained until the stream ends
    ///   or is stopped. After `.failed` or `.ended` no more events arrive.
    /// - Throws: `.invalidState` if the stream is running, `.busy`, `.disconnected`, `.unsupportedFormat`,
    ///   `.outOfResources` or `.inputOutput`.
    func start(_ receiver: any StreamReceiver) throws(DeviceError)
    /// Stops delivery. No event arrives after it has returned; if called inside an event, that event is the last one.
    ///
    /// Calls on a stopped stream have no effect. A stopped stream can be started again; its sequence numbers restart at
    /// 0.
    func stop()
    /// Changes the time between frames from the next frame on.
    ///
    /// - Throws: `.unsupportedFormat` if the format does not offer it, `.invalidState` if only a stopped
    ///   stream can change it, `.disconnected` or `.inputOutput`.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError)
}

/// An event that a stream delivers.
public enum StreamEvent: Sendable {
    case video(VideoFrame)
    case audio(AudioChunk)
    /// A frame that the device captured or announced but could not deliver.
    case dropped(DroppedFrame)
    /// The stream has ended with an error, at `time` on the clock of the capture system.
    case failed(DeviceError, time: CMTime)
    /// The source has ended, such as a file that does not loop; the last frame ended at `time`.
    case ended(time: CMTime)
}

/// One frame as the device delivered it.
public struct VideoFrame: Sendable {
    /// The data of a frame.
    public enum Payload: Sendable {
        /// Uncompressed; the device reuses the buffer after the last reference is released.
        case pixels(CVPixelBuffer)
        /// One compressed frame with its `kCMVideoCodecType_…` code.
        case compressed(CMBlockBuffer, codec: OSType)
    }

    /// The data of the frame.
    public var payload: Payload
    /// The start of the frame's exposure, on the clock of the capture system.
    public var presentationTime: CMTime
    /// The nominal time to the next frame.
    public var duration: CMTime
    /// Counts from 0 at the start of the stream; a gap means lost frames.
    public var sequenceNumber: UInt64
    /// The settings in effect during the exposure.
    public var settings: FrameSettings
    /// The depth of the frame; nil if the stream delivers none, or none was due.
    public var depth: FrameDepth?
    /// The faces in `payload` that the device detected, from the largest to the smallest; empty if its descriptor does
    /// not have `detectsFaces`.
    public var faces: [DetectedFace]
    /// The same exposure, stabilized with each mode that `DeviceControl.videoStabilization` requests. `payload` is not
    /// stabilized.
    public var stabilized: [VideoStabilization: StabilizedImage]
    /// The exposures of stills that the camera completed with this frame; see `OpenDevice.captureStill(_:)`.
    public var stills: [StillFrame] = []

    /// Adds a time to the timestamps of the frame and its stills.
    package mutating func shiftTimes(by shift: CMTime) {
        presentationTime = presentationTime + shift
        for index in stills.indices { stills[index].presentationTime = stills[index].presentationTime + shift }
    }

    /// An image of the frame after stabilization.
    public struct StabilizedImage: Sendable {
        /// The image, in the format of the stream.
        public var payload: Payload
        /// The time after the frame for which the stabilizer needs the motion of the camera, at least zero. Clients
        /// receive the image later than the frame by this time.
        public var lookAhead: CMTime

        /// Creates an image.
        public init(payload: Payload, lookAhead: CMTime) {
            self.payload = payload
            self.lookAhead = lookAhead
        }
    }

    /// Creates a frame.
    public init(
        payload: Payload, presentationTime: CMTime, duration: CMTime, sequenceNumber: UInt64,
        settings: FrameSettings = FrameSettings(), depth: FrameDepth? = nil, faces: [DetectedFace] = [],
        stabilized: [VideoStabilization: StabilizedImage] = [:]
    ) {
        self.faces = faces
        self.stabilized = stabilized
        self.payload = payload
        self.presentationTime = presentationTime
        self.duration = duration
        self.sequenceNumber = sequenceNumber
        self.settings = settings
        self.depth = depth
    }
}

/// A frame that was lost, with the reason.
public struct DroppedFrame: Sendable, Hashable {
    /// The reason for the loss.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Clients retain all buffers.
        case outOfBuffers
        /// The device itself skipped it.
        case discontinuity
        /// The data was damaged and could not be decoded.
        case damaged
    }

    /// The reason for the loss.
    public var reason: Reason
    /// The timestamp of the lost frame, on the clock of the capture system.
    public var presentationTime: CMTime
    /// The sequence number of the lost frame.
    public var sequenceNumber: UInt64
    /// A description of the cause for people; empty if the reason is sufficient.
    public var message: String
    /// Whether a depth map was lost with the frame.
    public var carriesDepth: Bool

    /// Creates a description of a lost frame.
    public init(
        reason: Reason, presentationTime: CMTime, sequenceNumber: UInt64, message: String = "",
        carriesDepth: Bool = false
    ) {
        self.reason = reason
        self.presentationTime = presentationTime
        self.sequenceNumber = sequenceNumber
        self.message = message
        self.carriesDepth = carriesDepth
    }
}
