import Foundation
import MediaStorage
import MediaTypes

@testable import MediaCodecs

/// The parameters of a recording of synthetic media, and methods that append the media to a `MovieRecorder`.
///
/// The video has `frameRate` frames per second. The audio is appended in chunks of 20 ms, each after the frame that is
/// shown when the chunk ends.
struct RecordingScript {
    static let start = CMTime(value: 1_234_567_890_123, timescale: 1_000_000_000)

    var width: Int32 = 160
    var height: Int32 = 96
    var codec = VideoSampleFormat.Codec.h264
    var isFullRange = false
    var frameRate: Int32 = 30
    var channelCount = 2
    var sampleRate = 48000
    var hasVideo = true
    var hasAudio = true
    var audioCodec = AudioEncoderSettings.Codec.aac
    var container = MovieContainer.mov
    /// The maximum duration of a fragment of the movie.
    var interval = CMTime(value: 10, timescale: 1)
    var orientation = MovieOrientation()
    /// The time of the first frame in seconds since midnight; nil for a movie without timecode.
    var timeOfDay: Double?
    var recordsOrientationChanges = false
    var alternatesDroppableFrames = false
    var putsIndexInFront = false
    var waveform: (Int) -> Int16 = { SyntheticMedia.tone($0) }

    var configuration: MovieRecorder.Configuration {
        var encoder = VideoEncoderSettings(
            codec: codec, dimensions: CMVideoDimensions(width: width, height: height),
            color: .bt709(isFullRange: isFullRange), expectedFrameDuration: CMTime(value: 1, timescale: frameRate))
        encoder.alternatesDroppableFrames = alternatesDroppableFrames
        return MovieRecorder.Configuration(
            container: container, fragmentInterval: interval,
            video: hasVideo
                ? .init(
                    encoder: encoder, orientation: orientation, timeOfDay: timeOfDay,
                    recordsOrientationChanges: recordsOrientationChanges)
                : nil,
            audio: hasAudio
                ? AudioEncoderSettings(
                    codec: audioCodec,
                    input: AudioStreamFormat(
                        sampleRate: Double(sampleRate), channelCount: channelCount, sample: .int16))
                : nil,
            putsIndexInFront: putsIndexInFront)
    }

    /// Converts a time since the start of the recording into a time of the device's clock, rounded to nanoseconds like
    /// the timestamps of devices.
    static func time(_ seconds: CMTime) -> CMTime {
        start + CMTimeConvertScale(seconds, timescale: 1_000_000_000, method: .roundHalfAwayFromZero)
    }

    func makeRecorder(_ url: URL, storage: any CaptureStorage = DiskStorage()) throws -> MovieRecorder {
        try MovieRecorder(configuration, url: url, storage: storage, start: Self.start)
    }

    /// Appends the media of a time range in seconds, without the audio chunks of 20 ms with indices in `lost`.
    func feed(_ seconds: Range<Double>, into recorder: MovieRecorder, skipping lost: Range<Int>? = nil) throws {
        var chunk = Int((seconds.lowerBound * 50).rounded())
        let lastChunk = Int((seconds.upperBound * 50).rounded())
        let frames =
            Int(
                (seconds.lowerBound * Double(frameRate)).rounded())..<Int(
                (seconds.upperBound * Double(frameRate)).rounded())
        for frame in frames {
            let time = CMTime(value: Int64(frame), timescale: frameRate)
            if hasVideo {
                let pixelFormat =
                    isFullRange
                    ? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
                    : kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
                let buffer = try SyntheticMedia.frame(
                    frame, width: Int(width), height: Int(height), pixelFormat: pixelFormat)
                try recorder.append(
                    buffer, at: Self.time(time), duration: CMTime(value: 1, timescale: frameRate))
            }
            while hasAudio, chunk < lastChunk, Double(chunk + 1) / 50 <= Double(frame + 1) / Double(frameRate) + 1e-9 {
                if lost?.contains(chunk) != true { try feedAudio(chunk, into: recorder) }
                chunk += 1
            }
        }
        while hasAudio, chunk < lastChunk {
            if lost?.contains(chunk) != true { try feedAudio(chunk, into: recorder) }
            chunk += 1
        }
    }

    func feedAudio(_ chunk: Int, into recorder: MovieRecorder) throws {
        let count = sampleRate / 50
        let bytes = SyntheticMedia.audio(frames: chunk * count..<(chunk + 1) * count, channels: channelCount, waveform)
        try bytes.withUnsafeBytes {
            try recorder.appendAudio(
                $0, frameCount: count, at: Self.time(CMTime(value: Int64(chunk * count), timescale: Int32(sampleRate))))
        }
    }

    @discardableResult
    func record(_ url: URL, seconds: Double) throws -> MovieRecorder.Summary {
        let recorder = try makeRecorder(url)
        try feed(0..<seconds, into: recorder)
        return try recorder.finish(at: Self.time(CMTime(seconds: seconds, preferredTimescale: 1_000_000)))
    }
}
