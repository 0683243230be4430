public import CaptureHAL
import Foundation
import MediaCodecs

/// A media file as a camera, a microphone, or both.
///
/// Each medium is a device of its own, so that both can be a system's default for theirs. They keep step: when the first
/// of their streams starts, that moment becomes the file's beginning, and a stream that starts later while the first is
/// still open joins in at the place that the file has reached by then. Once all streams have stopped, the next start
/// begins anew. Every start reads the file afresh; what is decoded ahead is a few frames, never the whole file.
public final class MediaFileHost: HardwareHost {
    /// What happens behind the last frame.
    public enum AtEnd: Sendable, Hashable {
        /// The stream ends.
        case end
        /// The file begins again, both media at once: when the longer of the two is over.
        case loop
    }

    public let name: String
    public let devices: [any HardwareDevice]
    /// Whether the streams come to an end by themselves; those of a loop and of a single picture do not.
    public let ends: Bool

    /// Opens the file to see what it holds.
    ///
    /// - Parameters:
    ///   - path: A movie, a sound or a picture in a format that libavformat reads; a picture stands still for ever.
    ///   - clock: The time in which frames are delivered.
    /// - Throws: `.invalidSource` for what is no readable media file, `.notPermitted`, `.inputOutput` or
    ///   `.outOfResources`.
    public init(path: String, clock: any CaptureClock, atEnd: AtEnd = .end) throws(DeviceError) {
        let source: MediaSource
        do throws(MediaFileError) {
            source = try MediaSource(path: path, atEnd: atEnd)
        } catch {
            throw DeviceError(error)
        }
        name = "file:" + source.fileName
        ends = atEnd == .end && !source.isStill
        let timeline = MediaFileTimeline()
        var devices: [any HardwareDevice] = []
        if let track = source.videoTrack {
            devices.append(MediaFileDevice(.camera(track), of: source, clock: clock, timeline: timeline))
        }
        if let track = source.audioTrack {
            devices.append(MediaFileDevice(.microphone(track), of: source, clock: clock, timeline: timeline))
        }
        self.devices = devices
    }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> Observation {
        // A file's devices never come or go.
        Observation {}
    }
}
