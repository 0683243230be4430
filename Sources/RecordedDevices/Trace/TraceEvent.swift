import CaptureHAL
import MediaTypes

/// A call of a client, or an event of a host, device or stream.
///
/// Devices, openings, streams and sets of attachments are numbered in the order of their appearance. A reconnected
/// device has a new number. Times count from the trace's beginning.
struct TraceEvent: Sendable {
    enum Content: Sendable {
        /// The name of the recorded host.
        case host(name: String)
        /// A new device. Its formats follow.
        case device(Int, DeviceDescriptor, formatCount: Int)
        /// A format of a device. Numbers from `formatCount` are formats that a client requested and the device lacks.
        case format(device: Int, number: Int, StreamFormat)
        case connected(Int)
        case disconnected(Int)
        /// A client read whether another program uses the device.
        case inUse(Int, Bool)
        /// A call of `open`. The result is the number of the opening.
        case open(device: Int, TraceResult<Int>)
        /// A control of an opened device with its range and initial value. Written again when the range changes.
        case control(open: Int, DeviceControl, ControlRange, ControlValue?)
        case value(open: Int, DeviceControl, TraceResult<ControlValue>)
        case set(open: Int, DeviceControl, ControlValue, TraceResult<Void>)
        /// The device, not a client, changed the value of a control.
        case changed(open: Int, DeviceControl, ControlValue)
        /// A call of `makeStream`. The result is the number of the stream.
        case stream(open: Int, TraceConfiguration, TraceResult<Int>)
        case close(Int)
        case start(Int)
        /// The preceding start failed.
        case startFailed(Int, DeviceError)
        /// A start of a running stream failed.
        case startWhileRunningFailed(Int, DeviceError)
        case setFrameDuration(stream: Int, CMTime, TraceResult<Void>)
        case stop(Int)
        /// Attachments that frames refer to by their number.
        case attachments(Int, TraceAttachments)
        case frame(stream: Int, TraceFrame)
        case audio(stream: Int, TraceAudio)
        case dropped(stream: Int, DroppedFrame)
        case failed(stream: Int, DeviceError, time: CMTime)
        case ended(stream: Int, time: CMTime)
        /// The limit of media bytes was reached; later frames and chunks are recorded without their bytes.
        case limit(Int64)
        /// The recording was finished. The last line of every complete trace.
        case end
    }

    /// Nanoseconds from the trace's beginning.
    var time: Int64
    var content: Content
}

/// The recorded result of a call.
enum TraceResult<Value: Sendable>: Sendable {
    case success(Value)
    case failure(DeviceError)
}

/// The requested configuration of a stream. The format is the number of a format of the device.
struct TraceConfiguration: Hashable, Sendable {
    var format: Int
    var frameDuration: CMTime
    var bufferCount: Int
    /// The depth data delivered with the frames.
    var depth: DepthConfiguration?
}

/// A video frame without its bytes.
struct TraceFrame: Sendable {
    enum Shape: Sendable {
        case pixels(OSType, CMVideoDimensions)
        case compressed(OSType)
    }

    var shape: Shape
    var presentationTime: CMTime
    var duration: CMTime
    var sequenceNumber: UInt64
    var settings: FrameSettings
    /// The number of the frame's attachments.
    var attachmentsNumber: Int?
    /// The depth data of the frame. The bytes of a depth map follow the bytes of the image.
    var depth: TraceDepth?
    /// The faces that the device detected.
    var faces: [DetectedFace] = []
    /// The still that the frame is, which the next frame of the stream delivers; nil for a frame of the stream.
    var still: TraceStill?
    var bytes: TraceBytes
}

/// The properties of a still beside a stream.
struct TraceStill: Sendable, Hashable {
    /// The `id` of the request when it was recorded.
    var request: UInt64
    /// The index of the exposure in the request.
    var exposure: Int
    /// The number of exposures of the request.
    var count: Int
    /// The number of frames that were merged.
    var merged: Int
}

/// A depth map without its bytes.
enum TraceDepth: Sendable {
    case map(OSType, CMVideoDimensions, isAbsolute: Bool, CameraCalibration?)
    case dropped(DroppedFrame.Reason)
}

/// An audio chunk without its bytes.
struct TraceAudio: Sendable {
    var format: AudioStreamFormat
    var frameCount: Int
    var presentationTime: CMTime
    var samplePosition: Int64
    var followsDiscontinuity: Bool
    var bytes: TraceBytes
}

/// The location of the bytes of a frame or chunk, or the reason why they were not recorded.
enum TraceBytes: Hashable, Sendable {
    case recorded(TraceBlob)
    /// The bytes were not recorded, because the trace had reached its byte limit.
    case overLimit
    /// The bytes were not recorded, because they arrived faster than they could be written.
    case tooFast
}

/// The attachments of a frame. Only strings and numbers are recorded; of other attachments, only the keys are recorded.
struct TraceAttachments: Hashable, Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        case number(Double)
    }

    struct Entry: Hashable, Sendable {
        var value: Value
        var propagates: Bool
    }

    var entries: [String: Entry] = [:]
    /// The keys of attachments that a trace cannot represent.
    var lost: [String] = []

    init() {}

    init(_ attachments: CMAttachmentBearerAttachments) {
        for (propagates, values) in [(true, attachments.propagated), (false, attachments.nonPropagated)] {
            for (key, value) in values {
                switch value {
                case _ where !Self.isPlain(key): lost.append(key)
                case let text as String: entries[key] = Entry(value: .text(text), propagates: propagates)
                case let number as Double: entries[key] = Entry(value: .number(number), propagates: propagates)
                case let number as Int where Int(exactly: Double(number)) == number:
                    entries[key] = Entry(value: .number(Double(number)), propagates: propagates)
                default: lost.append(key)
                }
            }
        }
        lost.sort()
    }

    /// Whether a key can be written before an equals sign.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }
    }

    var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

    var attachments: CMAttachmentBearerAttachments {
        var attachments = CMAttachmentBearerAttachments()
        for (key, entry) in entries {
            let value: Any =
                switch entry.value {
                case .text(let text): text
                case .number(let number): number
                }
            attachments.merge([key: value], mode: entry.propagates ? .shouldPropagate : .shouldNotPropagate)
        }
        return attachments
    }
}
