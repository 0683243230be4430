import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
import MediaTypes

/// The configuration of the movie file.
extension MovieRecording {
    /// Returns the configuration of the file.
    ///
    /// - Parameters:
    ///   - pixels: The first frame; nil without video.
    ///   - frameDuration: The duration of the first frame; invalid if unknown.
    ///   - origin: The start time of the movie.
    func configuration(
        _ pixels: CVPixelBuffer?, _ frameDuration: CMTime, _ origin: CMTime
    ) -> MovieRecorder.Configuration {
        if let audioFile = options.audioFile { return configuration(audioFile, origin) }
        let container: MovieContainer =
            switch notifier.url.pathExtension.lowercased() {
            case "mp4": .mp4
            case "m4v": .m4v
            default: .mov
            }
        var result = MovieRecorder.Configuration(
            container: container, fragmentInterval: options.fragmentInterval,
            metadata: metadata(at: origin), video: pixels.map { videoConfiguration($0, frameDuration, origin) },
            audio: audioFormat.map { audioConfiguration($0) },
            byteLimit: limits.fileSize > 0 ? limits.fileSize : nil)
        result.timedMetadata = metadata.compactMap(\.metadataFormat)
        return result
    }

    private func configuration(_ audioFile: AudioFileFormat, _ origin: CMTime) -> MovieRecorder.Configuration {
        var result = MovieRecorder.Configuration(
            container: .m4a, fragmentInterval: options.fragmentInterval, metadata: metadata(at: origin),
            audio: audioFormat.map(audioFile.settings.encoder(for:)),
            byteLimit: limits.fileSize > 0 ? limits.fileSize : nil)
        if case .audio(let container) = audioFile.kind { result.audioFileContainer = container }
        return result
    }

    private func videoConfiguration(
        _ pixels: CVPixelBuffer, _ frameDuration: CMTime, _ origin: CMTime
    ) -> MovieRecorder.Configuration.Video {
        let (requested, recordsChanges) =
            video?.state.withLock { ($0.movieSettings, $0.recordsOrientationChanges) } ?? (nil, false)
        let color = ColorDescription(of: pixels)
        let settings =
            requested ?? MovieVideoSettings(codec: color.isHDR ? .hevc : video?.deviceInput?.device.movieCodec ?? .h264)
        let expected = frameDuration.isNumeric ? frameDuration : CMTime(value: 1, timescale: 30)
        var encoder = VideoEncoderSettings(
            codec: passesFramesThrough ? .jpeg : settings.sampleCodec,
            dimensions: CMVideoDimensions(
                width: Int32(CVPixelBufferGetWidth(pixels)), height: Int32(CVPixelBufferGetHeight(pixels))),
            color: color, expectedFrameDuration: expected,
            averageBitRate: settings.averageBitRate, quality: settings.quality,
            maximumKeyFrameInterval: settings.maximumKeyFrameInterval,
            maximumKeyFrameDuration: settings.maximumKeyFrameDuration)
        if encoder.codec == .hevc, pixels.format.bitsPerComponent == 10 { encoder.bitsPerComponent = 10 }
        // At 60 frames per second or more, 59.94 included, players at half the frame rate can skip every second frame.
        encoder.alternatesDroppableFrames = expected <= CMTime(value: 1, timescale: 59)
        var result = MovieRecorder.Configuration.Video(
            encoder: encoder, orientation: video?.movieOrientation ?? MovieOrientation(),
            timeOfDay: timeOfDay(at: origin), recordsOrientationChanges: recordsChanges)
        result.isPassthrough = passesFramesThrough
        return result
    }

    private func audioConfiguration(_ input: AudioStreamFormat) -> AudioEncoderSettings {
        let settings = audio?.state.withLock { $0.movieAudioSettings } ?? MovieAudioSettings()
        return settings.encoderSettings(for: input)
    }

    /// Returns the seconds from midnight UTC to a time on the clock.
    private func timeOfDay(at origin: CMTime) -> Double {
        let seconds = system.clock.date(at: origin).timeIntervalSince1970
        return seconds - (seconds / 86400).rounded(.down) * 86400
    }

    /// Returns the metadata of a movie that starts at `origin`.
    func metadata(at origin: CMTime) -> MovieMetadata {
        let device = (video ?? audio).flatMap { $0.deviceInput }?.device
        var metadata = MovieMetadata(of: device, date: system.clock.date(at: origin))
        metadata.add(items)
        return metadata
    }

    private var audioFormat: AudioStreamFormat? {
        let input = audio?.deviceInput
        if case .audio(let format)? = input?.format(for: .audio)?.stream { return format }
        return nil
    }
}

extension MovieMetadata {
    /// Creates the metadata of a movie that a device began to capture at a date.
    init(of device: AVCaptureDevice?, date: Date) {
        self.init(
            creationSecondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)),
            creationDate: date.ISO8601Format(), make: device?.manufacturer, model: device?.modelID,
            software: "Obscura")
    }
}

extension AVCaptureConnection {
    /// The orientation in which players display the frames.
    ///
    /// A movie mirrors before it rotates, a connection mirrors after it rotates: with mirroring, the rotation is
    /// reversed.
    var movieOrientation: MovieOrientation {
        let (angle, isMirrored) = state.withLock { ($0.rotationAngle, $0.isMirrored) }
        return MovieOrientation(rotationAngle: isMirrored ? (360 - angle) % 360 : angle, isMirrored: isMirrored)
    }
}
