public import Foundation
public import MediaTypes

/// A non-drop-frame timecode of SMPTE 12M-1.
public struct AVCaptureTimecode: Sendable {
    /// The origin of a timecode.
    public enum SourceType: Int, Sendable, Hashable {
        /// Counted frames.
        case frameCount = 0
        /// The time of day.
        case realTimeClock = 1
        /// A connected device.
        case external = 2
    }

    /// A source that a generator can synchronize with.
    public final class Source: NSObject, Sendable {
        public let displayName: String
        public let type: SourceType
        /// Identifies the source in this process.
        public let uuid: UUID

        init(_ type: SourceType, displayName: String, uuid: UUID) {
            self.type = type
            self.displayName = displayName
            self.uuid = uuid
        }
    }

    public var hours: UInt8
    public var minutes: UInt8
    public var seconds: UInt8
    public var frames: UInt8
    public var userBits: UInt32
    /// The duration of a frame; invalid if unknown.
    public var frameDuration: CMTime
    public var sourceType: SourceType

    public init() {
        self.init(
            hours: 0, minutes: 0, seconds: 0, frames: 0, userBits: 0, frameDuration: .invalid, sourceType: .frameCount)
    }

    public init(
        hours: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8, userBits: UInt32, frameDuration: CMTime,
        sourceType: SourceType
    ) {
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.frames = frames
        self.userBits = userBits
        self.frameDuration = frameDuration
        self.sourceType = sourceType
    }

    /// The frame rate, rounded up to an integer; nil if it is unknown.
    private var framesPerSecond: Int64? {
        guard frameDuration.isNumeric, frameDuration.seconds > 0 else { return nil }
        return Int64((1 / frameDuration.seconds).rounded(.up))
    }

    /// The number of frames since midnight; nil without a frame duration.
    var frameNumber: Int64? {
        framesPerSecond.map { ((Int64(hours) * 60 + Int64(minutes)) * 60 + Int64(seconds)) * $0 + Int64(frames) }
    }

    /// Returns a timecode advanced by a number of frames, which may be negative; it wraps around after a day. A
    /// timecode without a frame duration is returned unchanged.
    public static func advanced(_ timecode: AVCaptureTimecode, by framesToAdd: Int64) -> AVCaptureTimecode {
        guard let rate = timecode.framesPerSecond, let number = timecode.frameNumber else { return timecode }
        let day = 24 * 3600 * rate
        let sum = (number + framesToAdd % day + day) % day
        var result = timecode
        result.frames = UInt8(truncatingIfNeeded: sum % rate)
        result.seconds = UInt8(sum / rate % 60)
        result.minutes = UInt8(sum / rate / 60 % 60)
        result.hours = UInt8(sum / rate / 3600)
        return result
    }
}
