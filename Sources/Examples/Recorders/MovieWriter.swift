import AVFoundation

/// Writes the video and audio of one movie with an asset writer.
final class MovieWriter {
    /// The bit rate, in bits per second for each pixel of a frame, as in the tutorial (docs/tutorials.md).
    private static let bitRatePerPixel = 12.0
    private static let frameRate = 30

    private let writer: AVAssetWriter
    private let videoInput: AVAssetWriterInput
    private let audioInput: AVAssetWriterInput?

    /// Creates the file, which starts at the time of its first frame.
    ///
    /// - Parameter hasSound: Whether audio will be appended. A writer with an audio input waits for audio.
    init(url: URL, size: CGSize, hasSound: Bool, startTime: CMTime) throws {
        writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        videoInput = AVAssetWriterInput(mediaType: .video, outputSettings: Self.videoSettings(size: size))
        audioInput = hasSound ? AVAssetWriterInput(mediaType: .audio, outputSettings: Self.audioSettings) : nil
        for input in [videoInput, audioInput].compactMap({ $0 }) {
            // Without this, the writer is not ready for all samples of a camera.
            input.expectsMediaDataInRealTime = true
            guard writer.canAdd(input) else { throw AVError(.unknown) }
            writer.add(input)
        }
        guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
        writer.startSession(atSourceTime: startTime)
    }

    /// H.264 with a bit rate of 12 bits per second for each pixel of a frame, and a key frame each second.
    static func videoSettings(size: CGSize) -> [String: Any] {
        [
            AVVideoCodecKey: AVVideoCodecType.h264,
            AVVideoWidthKey: Int(size.width),
            AVVideoHeightKey: Int(size.height),
            AVVideoScalingModeKey: AVVideoScalingModeResizeAspectFill,
            AVVideoCompressionPropertiesKey: [
                AVVideoAverageBitRateKey: Int(size.width * size.height * bitRatePerPixel),
                AVVideoExpectedSourceFrameRateKey: frameRate,
                AVVideoMaxKeyFrameIntervalKey: frameRate,
                AVVideoProfileLevelKey: AVVideoProfileLevelH264BaselineAutoLevel,
            ] as [String: Any],
        ]
    }

    /// AAC with one channel.
    static var audioSettings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatMPEG4AAC,
            AVNumberOfChannelsKey: 1,
            AVSampleRateKey: 22_050,
            AVEncoderBitRatePerChannelKey: 28_000,
        ]
    }

    /// Appends a frame or audio, or drops it if the writer is not ready.
    func append(_ sampleBuffer: CMSampleBuffer, isVideo: Bool) throws {
        guard let input = isVideo ? videoInput : audioInput, input.isReadyForMoreMediaData else { return }
        guard input.append(sampleBuffer) else { throw writer.error ?? AVError(.unknown) }
    }

    /// Finishes the file.
    ///
    /// - Parameter completion: Called on a queue of the writer, with the error if the file could not be finished.
    func finish(completion: @escaping @Sendable ((any Error)?) -> Void) {
        guard writer.status == .writing else { return completion(writer.error) }
        let writer = writer
        writer.finishWriting { completion(writer.status == .completed ? nil : writer.error ?? AVError(.unknown)) }
    }
}
