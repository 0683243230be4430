import CaptureHAL
import MediaTypes

/// The media that wait for the encoders of an output on a real clock.
///
/// A camera stops to deliver uncompressed frames when all its buffers are in use, but has no such limit for compressed
/// ones: if decoding and encoding are slower than the camera, media that exceed the limits are late and not recorded.
/// The frames that wait when a recording is stopped are still encoded, so a slow encoder gets fewer of them: a backlog
/// bridges a delay, but cannot make up for a lasting one. On a virtual clock, encoding takes no time and nothing waits.
struct RecordingBacklog: Sendable {
    private(set) var frameCount = 0
    /// The size of compressed frames and audio. Uncompressed frames are in the buffers of the camera.
    private(set) var byteCount = 0
    /// The time in which the last frame was decoded and encoded; zero before the first one.
    private var frameTime = CMTime.zero

    /// Half a second at 30 frames per second: a disk can be that slow for a moment.
    static let maximumFrameCount = 16
    /// The time in which the waiting frames should be encoded.
    private static let maximumEncodingTime = CMTime(value: 1, timescale: 2)
    /// More than a minute of audio if no frames wait.
    static let maximumByteCount = 32 << 20

    /// Adds media; returns false if they are late.
    mutating func add(_ media: CapturedMedia) -> Bool {
        let (frames, bytes) = media.backlogSize
        guard frameCount + frames <= frameLimit,
            byteCount == 0 || byteCount + bytes <= Self.maximumByteCount
        else { return false }
        frameCount += frames
        byteCount += bytes
        return true
    }

    /// Removes media that were processed in a time.
    mutating func remove(_ media: CapturedMedia, after time: CMTime) {
        let (frames, bytes) = media.backlogSize
        frameCount -= frames
        byteCount -= bytes
        if frames > 0 { frameTime = time }
    }

    /// The maximum number of frames: one that is encoded and one that waits, or as many as are encoded soon.
    private var frameLimit: Int {
        guard frameTime > .zero else { return Self.maximumFrameCount }
        let count = Self.maximumEncodingTime.seconds / frameTime.seconds
        return Int(min(max(count, 2), Double(Self.maximumFrameCount)))
    }
}

extension ClockWorker {
    /// Adds the processing of media to the end of the queue.
    ///
    /// - Returns: False if the media are late: too many others wait.
    func submit(
        _ media: CapturedMedia, limitedBy backlog: Lock<RecordingBacklog>, on clock: any CaptureClock,
        _ process: @escaping @Sendable () -> Void
    ) -> Bool {
        guard !clock.isVirtual else {
            submit(process)
            return true
        }
        guard backlog.withLock({ $0.add(media) }) else { return false }
        submit {
            let start = clock.now
            process()
            let time = clock.now - start
            backlog.withLock { $0.remove(media, after: time) }
        }
        return true
    }
}

extension CapturedMedia {
    fileprivate var backlogSize: (frames: Int, bytes: Int) {
        switch self {
        case .audio(let chunk): return (0, chunk.data.dataLength)
        case .video(let frame):
            guard case .compressed(let data, _) = frame.content.payload else { return (1, 0) }
            return (1, data.dataLength)
        }
    }
}
