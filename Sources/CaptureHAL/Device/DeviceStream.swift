public import MediaTypes

/// What a client asks of a stream.
public struct StreamConfiguration: Sendable, Hashable {
    public var format: StreamFormat
    /// The time between frames, one that the format supports; for audio the length of a chunk, a wish only.
    public var frameDuration: CMTime
    /// How many frames the device may have out at a time before it drops for want of buffers.
    public var bufferCount: Int
    /// The depth that is to come with the pictures; nil, as by default, is none.
    public var depth: DepthConfiguration?

    public init(
        format: StreamFormat, frameDuration: CMTime, bufferCount: Int = 16, depth: DepthConfiguration? = nil
    ) {
        self.format = format
        self.frameDuration = frameDuration
        self.bufferCount = bufferCount
        self.depth = depth
    }
}

/// A flow of frames or sound from an open device.
///
/// - Important: Thread-safe.
public protocol DeviceStream: AnyObject, Sendable {
    var configuration: StreamConfiguration { get }
    /// Starts delivery; events arrive in timestamp order and never overlap.
    ///
    /// - Parameter receiver: Called on the host's clock or the stream's own thread, and kept until the stream ends or
    ///   is stopped. After `.failed` or `.ended` nothing more arrives.
    /// - Throws: `.invalidState` where it runs already, `.busy`, `.disconnected`, `.unsupportedFormat`,
    ///   `.outOfResources` or `.inputOutput`.
    func start(_ receiver: any StreamReceiver) throws(DeviceError)
    /// Stops delivery: once it has returned no event arrives; from inside an event that one is the last.
    ///
    /// More calls do nothing. A stopped stream can be started again; its sequence numbers begin at 0 again.
    func stop()
    /// Changes the time between frames from the next frame on.
    ///
    /// - Throws: `.unsupportedFormat` where the format does not offer it, `.invalidState` where only a stopped
    ///   stream can change it, `.disconnected` or `.inputOutput`.
    func setFrameDuration(_ duration: CMTime) throws(DeviceError)
}

/// What a stream delivers.
public enum StreamEvent: Sendable {
    case video(VideoFrame)
    case audio(AudioChunk)
    /// A frame that the device made or announced but could not deliver.
    case dropped(DroppedFrame)
    /// The stream is over by an error, which came at `time` on the system's clock.
    case failed(DeviceError, time: CMTime)
    /// The source has no more, as a file that does not loop; the last frame ended at `time`.
    case ended(time: CMTime)
}

/// One picture as the device delivered it.
public struct VideoFrame: Sendable {
    /// Where the picture is.
    public enum Payload: Sendable {
        /// Uncompressed; the buffer returns to the device's pool when the last reference goes.
        case pixels(CVPixelBuffer)
        /// One compressed picture with its `kCMVideoCodecType_…` code.
        case compressed(CMBlockBuffer, codec: OSType)
    }

    public var payload: Payload
    /// The begin of the picture's exposure, on the system's clock.
    public var presentationTime: CMTime
    /// The time to the next frame if all goes well.
    public var duration: CMTime
    /// Counts from 0 at the start of the stream; a gap says that frames were lost.
    public var sequenceNumber: UInt64
    /// The settings that formed this picture.
    public var settings: FrameSettings
    /// How far away is what the picture shows; nil where no depth was asked for, or none was due.
    public var depth: DepthDelivery?

    public init(
        payload: Payload, presentationTime: CMTime, duration: CMTime, sequenceNumber: UInt64,
        settings: FrameSettings = FrameSettings(), depth: DepthDelivery? = nil
    ) {
        self.payload = payload
        self.presentationTime = presentationTime
        self.duration = duration
        self.sequenceNumber = sequenceNumber
        self.settings = settings
        self.depth = depth
    }
}

/// A frame that never came, and why.
public struct DroppedFrame: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// All buffers are held by consumers.
        case outOfBuffers
        /// The device itself skipped it.
        case discontinuity
        /// The data was damaged and could not be decoded.
        case damaged
    }

    public var reason: Reason
    public var presentationTime: CMTime
    public var sequenceNumber: UInt64
    /// What was wrong, for a person; empty where the reason says it all.
    public var message: String
    /// Whether a depth map was lost with it.
    public var carriesDepth: Bool

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
