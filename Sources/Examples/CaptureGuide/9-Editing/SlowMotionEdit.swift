import AVFoundation

/// A movie with a part in slow motion, for recordings at a high frame rate.
public struct SlowMotionEdit: Sendable {
    public let composition = AVMutableComposition()

    /// The reason why an edit cannot be exported.
    public enum ExportError: Error {
        /// The preset cannot export the movie.
        case notExportable
    }

    /// Inserts a movie, and slows a part of it down by a factor.
    public init(_ asset: AVAsset, slowing part: CMTimeRange, by factor: Int32) async throws {
        let duration = try await asset.load(.duration)
        try await composition.insertTimeRange(CMTimeRange(start: .zero, duration: duration), of: asset, at: .zero)
        composition.scaleTimeRange(part, toDuration: CMTimeMultiply(part.duration, multiplier: factor))
    }

    /// Exports all frames with their new times, without encoding them again.
    public func exportAllFrames(to url: URL) async throws {
        try await exportSession(AVAssetExportPresetPassthrough).export(to: url, as: .mov)
    }

    /// Exports at a constant frame rate, for players and editors that do not support variable rates.
    public func export(to url: URL, framesPerSecond: Int32, pitch: AVAudioTimePitchAlgorithm) async throws {
        let video = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: composition)
        video.sourceTrackIDForFrameTiming = kCMPersistentTrackID_Invalid
        video.frameDuration = CMTime(value: 1, timescale: framesPerSecond)
        let session = try exportSession(AVAssetExportPresetHighestQuality)
        session.videoComposition = video
        session.audioTimePitchAlgorithm = pitch
        try await session.export(to: url, as: .mov)
    }

    private func exportSession(_ preset: String) throws -> AVAssetExportSession {
        guard let session = AVAssetExportSession(asset: composition, presetName: preset) else {
            throw ExportError.notExportable
        }
        return session
    }
}
