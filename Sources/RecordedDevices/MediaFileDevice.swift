import CaptureHAL
import MediaCodecs
import MediaTypes
import PixelKernels

/// A camera or microphone that plays one track of a media file.
///
/// - Note: `uniqueID` depends on the file's name only, so it does not change if the file is moved to another folder.
final class MediaFileDevice: HardwareDevice {
    /// The kind of the device and the track that it plays.
    enum Role: Sendable {
        case camera(MediaTrack)
        case microphone(MediaTrack)
    }

    let descriptor: DeviceDescriptor
    let formats: [StreamFormat]
    let isConnected = true
    let isInUseByAnotherApplication = false
    let role: Role
    let source: MediaSource
    let clock: any CaptureClock
    let timeline: MediaFileTimeline
    private let isOpen = Lock(false)

    init(_ role: Role, of source: MediaSource, clock: any CaptureClock, timeline: MediaFileTimeline) {
        self.role = role
        self.source = source
        self.clock = clock
        self.timeline = timeline
        switch role {
        case .camera(let track):
            descriptor = DeviceDescriptor(
                uniqueID: "file:\(source.fileName):camera", modelID: "file-camera", localizedName: source.fileName,
                manufacturer: "Obscura", kind: .external, media: [.video],
                mountingAngle: track.video?.mountingAngle ?? 0, isPrerecorded: true,
                transport: .virtual, housing: source.fileName)
            formats = [Self.format(of: track, source)]
        case .microphone(let track):
            descriptor = DeviceDescriptor(
                uniqueID: "file:\(source.fileName):microphone", modelID: "file-microphone",
                localizedName: "\(source.fileName) (sound)", manufacturer: "Obscura", kind: .microphone,
                media: [.audio], isPrerecorded: true, transport: .virtual, housing: source.fileName)
            formats = [.int16, .float32].map { sample in
                .audio(
                    AudioStreamFormat(
                        sampleRate: Double(track.audio?.sampleRate ?? 0), channelCount: track.audio?.channelCount ?? 0,
                        sample: sample))
            }
        }
    }

    private static func format(of track: MediaTrack, _ source: MediaSource) -> StreamFormat {
        .video(
            VideoStreamFormat(
                dimensions: track.video?.cameraDimensions ?? CMVideoDimensions(width: 0, height: 0),
                encoding: .pixels(track.video?.cameraPixelFormat ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange),
                frameDurations: [source.frameDurations]))
    }

    func open() throws(DeviceError) -> any OpenDevice {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return isOpen
        }
        guard !wasOpen else {
            throw DeviceError(.busy, device: descriptor.uniqueID, "\(descriptor.localizedName) is already open")
        }
        return OpenMediaFile(self)
    }

    /// Marks the device as closed. The opened device calls it once.
    func didClose() {
        isOpen.withLock { $0 = false }
    }
}

extension MediaTrack {
    var video: Video? {
        if case .video(let video) = content { video } else { nil }
    }

    var audio: Audio? {
        if case .audio(let audio) = content { audio } else { nil }
    }
}
