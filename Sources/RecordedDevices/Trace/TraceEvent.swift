import CaptureHAL
import MediaTypes

/// One thing that happened between a client and the devices of a host.
///
/// Devices, opened devices, streams and sets of attachments are numbered in the order of their appearance: a device that
/// comes back is a new number, and so is each opening. Times lie on the trace's own axis, whose zero is its beginning.
struct TraceEvent: Sendable {
    enum Content: Sendable {
        /// The name of the recorded host.
        case host(name: String)
        /// A device seen for the first time; its formats follow.
        case device(Int, DeviceDescriptor, formatCount: Int)
        /// A format of a device; those from `formatCount` on are not the device's own, a client just asked for them.
        case format(device: Int, number: Int, StreamFormat)
        case connected(Int)
        case disconnected(Int)
        /// A client asked whether another program holds the device.
        case inUse(Int, Bool)
        case open(device: Int, TraceAnswer<Int>)
        /// A control that an opened device has, its range and what it stood at; told again when its range changes.
        case control(open: Int, DeviceControl, ControlRange, ControlValue?)
        case value(open: Int, DeviceControl, TraceAnswer<ControlValue>)
        case set(open: Int, DeviceControl, ControlValue, TraceAnswer<Void>)
        /// The device itself changed a control.
        case changed(open: Int, DeviceControl, ControlValue)
        case stream(open: Int, TraceConfiguration, TraceAnswer<Int>)
        case close(Int)
        case start(Int)
        /// The start just before was refused.
        case refused(Int, DeviceError)
        /// A start of a stream that ran already was refused.
        case again(Int, DeviceError)
        case rate(stream: Int, CMTime, TraceAnswer<Void>)
        case stop(Int)
        /// Attachments that pictures refer to.
        case look(Int, TraceAttachments)
        case frame(stream: Int, TraceFrame)
        case sound(stream: Int, TraceSound)
        case dropped(stream: Int, DroppedFrame)
        case failed(stream: Int, DeviceError, time: CMTime)
        case ended(stream: Int, time: CMTime)
        /// From here on no bytes of pictures and sound were kept; the number that was allowed.
        case limit(Int64)
        /// The recording was finished properly; the last line of every whole trace.
        case end
    }

    /// Nanoseconds from the trace's beginning.
    var time: Int64
    var content: Content
}

/// What came back from a call.
enum TraceAnswer<Value: Sendable>: Sendable {
    case success(Value)
    case failure(DeviceError)
}

/// What a stream was asked for; the format by its number among the device's.
struct TraceConfiguration: Hashable, Sendable {
    var format: Int
    var frameDuration: CMTime
    var bufferCount: Int
    /// The depth that came with the pictures.
    var depth: DepthConfiguration?
}

/// A picture without its bytes.
struct TraceFrame: Sendable {
    enum Shape: Hashable, Sendable {
        case pixels(OSType, CMVideoDimensions)
        case compressed(OSType)
    }

    var shape: Shape
    var presentationTime: CMTime
    var duration: CMTime
    var sequenceNumber: UInt64
    var settings: FrameSettings
    /// The number of its attachments.
    var look: Int?
    /// What came with the picture; the map's bytes follow those of the picture.
    var depth: TraceDepth?
    var bytes: TraceBytes
}

/// A depth map without its bytes.
enum TraceDepth: Sendable {
    case map(OSType, CMVideoDimensions, isAbsolute: Bool, CameraCalibration?)
    case dropped(DroppedFrame.Reason)
}

/// A chunk of sound without its bytes.
struct TraceSound: Sendable {
    var format: AudioStreamFormat
    var frameCount: Int
    var presentationTime: CMTime
    var samplePosition: Int64
    var followsDiscontinuity: Bool
    var bytes: TraceBytes
}

/// Where the bytes of a picture or a chunk are.
enum TraceBytes: Hashable, Sendable {
    case kept(TraceBlob)
    /// The trace had reached its limit of bytes.
    case overLimit
    /// They came faster than they could be written.
    case tooFast
}

/// The attachments of a picture: those of text and numbers; others are named only.
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
    /// Keys whose values have no form in a trace.
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

    /// Whether a key can stand before an equals sign.
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
