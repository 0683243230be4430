public import CaptureHAL
import Foundation
import MediaCodecs
public import MediaFiles

/// A host that plays a media file as a camera, a microphone, or both.
///
/// Video and audio are separate devices, so that each can be the default device for its medium. Their streams are
/// synchronized: playback begins when the first stream starts, and a stream that starts while another one is running
/// begins at the current position. After all streams have stopped, the next start plays from the beginning. Each start
/// reads the file again; only a few frames are decoded ahead.
public final class MediaFileHost: HardwareHost {
    /// The behavior after the last frame.
    public enum AtEnd: Sendable, Hashable {
        /// The stream ends.
        case end
        /// When the longer track has ended, both tracks are played from the beginning again.
        case loop
    }

    public let name: String
    public let devices: [any HardwareDevice]
    /// Whether the streams end after the last frame. Loops and still images do not end.
    public let ends: Bool
    /// The media that the file contains but no decoder reads, so that there is no device for them.
    public let undecodableMedia: [DeviceMedia]
    private let timeline = MediaFileTimeline()

    /// Creates a host for a media file and reads its tracks.
    ///
    /// - Parameters:
    ///   - path: A movie, an audio file or a still image in a format that libavformat reads. A still image is delivered
    ///     repeatedly without end.
    ///   - clock: The clock on which frames are delivered.
    ///   - atEnd: The behavior after the last frame.
    /// - Throws: `.invalidSource` if the file is not a readable media file, `.notPermitted`, `.inputOutput` or
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
        undecodableMedia = source.undecodableMedia
        var devices: [any HardwareDevice] = []
        if let track = source.videoTrack {
            devices.append(MediaFileDevice(.camera(track), of: source, clock: clock, timeline: timeline))
        }
        if let track = source.audioTrack {
            devices.append(MediaFileDevice(.microphone(track), of: source, clock: clock, timeline: timeline))
        }
        self.devices = devices
    }

    /// The jumps in the file's timestamps that were read so far, in the order of the file. The streams continue without
    /// them. The times count from the file's beginning.
    public var jumps: [TimestampJump] { timeline.jumps }

    public func observeDevices(_ handler: @escaping @Sendable (DeviceChange) -> Void) -> ObserverToken {
        // A file's devices are never connected or disconnected.
        ObserverToken {}
    }
}
