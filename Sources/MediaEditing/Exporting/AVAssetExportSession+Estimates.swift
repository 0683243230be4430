import AssetTypes
public import Foundation
import MediaAssets
import MediaCodecs
public import MediaTypes

/// How an export handles alternative tracks.
public struct AVAssetTrackGroupOutputHandling: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Alternative tracks, including disabled ones, are exported to the same alternate group.
    public static let preserveAlternateTracks = AVAssetTrackGroupOutputHandling(rawValue: 1 << 0)
    /// Alternate groups are not exported: each enabled track is independent.
    public static let defaultPolicy: AVAssetTrackGroupOutputHandling = []
}

/// The file length limit, estimates and further settings.
extension AVAssetExportSession {
    /// The maximum length of the file in bytes; 0, the default, for none.
    ///
    /// The export ends early so that the file does not exceed the limit. It fails with `.maximumFileSizeReached` if not
    /// even the first frames fit.
    public var fileLengthLimit: Int64 {
        get { options.fileLengthLimit }
        set { set("setFileLengthLimit:") { $0.fileLengthLimit = newValue } }
    }

    /// The estimated duration that fits in `fileLengthLimit`, at most the duration of the time range; invalid if the
    /// time range has no media.
    public var maxDuration: CMTime {
        // The property cannot report the error.
        (try? estimatedDuration()) ?? .invalid
    }

    /// The estimated length of the file in bytes, from the bit rates of the preset's encoders or the stored samples; 0
    /// if the time range has no media.
    public var estimatedOutputFileLength: Int64 {
        // The property cannot report the error.
        (try? estimatedByteCount()) ?? 0
    }

    /// The estimated duration that fits in `fileLengthLimit`, at most the duration of the time range.
    ///
    /// - Throws: `.invalidSourceMedia` if the time range has no media.
    public var estimatedMaximumDuration: CMTime { get async throws { try estimatedDuration() } }

    /// The estimated length of the file in bytes.
    ///
    /// - Throws: `.invalidSourceMedia` if the time range has no media.
    public var estimatedOutputFileLengthInBytes: Int64 { get async throws { try estimatedByteCount() } }

    /// Calls a handler with `maxDuration`, or with an invalid time and an error, on a private queue of the session.
    @preconcurrency
    public func estimateMaximumDuration(completionHandler handler: @escaping @Sendable (CMTime, (any Error)?) -> Void) {
        deliver {
            do throws(AVError) {
                handler(try self.estimatedDuration(), nil)
            } catch {
                handler(.invalid, error)
            }
        }
    }

    /// Calls a handler with `estimatedOutputFileLength`, or with 0 and an error, on a private queue of the session.
    @preconcurrency
    public func estimateOutputFileLength(completionHandler handler: @escaping @Sendable (Int64, (any Error)?) -> Void) {
        deliver {
            do throws(AVError) {
                handler(try self.estimatedByteCount(), nil)
            } catch {
                handler(0, error)
            }
        }
    }

    /// The file types to which the preset can export the asset.
    public var compatibleFileTypes: [AVFileType] { get async { supportedFileTypes } }

    /// Calls a handler with `supportedFileTypes`, on a queue of the session.
    @preconcurrency
    public func determineCompatibleFileTypes(completionHandler handler: @escaping @Sendable ([AVFileType]) -> Void) {
        deliver { handler(self.supportedFileTypes) }
    }

    /// Determines whether a preset can export an asset to a file type, and calls a handler with the result.
    ///
    /// - Parameter outputFileType: The file type; nil for any.
    @preconcurrency
    public class func determineCompatibility(
        ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?,
        completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        guard let session = AVAssetExportSession(asset: asset, presetName: presetName) else { return handler(false) }
        session.deliver { handler(outputFileType.map(session.supportedFileTypes.contains) ?? true) }
    }

    /// Whether several exports may run in parallel to save time. The value has no effect.
    public var allowsParallelizedExport: Bool {
        get { options.allowsParallelizedExport }
        set { set("setAllowsParallelizedExport:") { $0.allowsParallelizedExport = newValue } }
    }

    /// The algorithm that adjusts the pitch of audio in scaled edits; `spectral` by default.
    ///
    /// - Note: With the passthrough preset, it applies to audio tracks with scaled edits, which are encoded.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { options.audioTimePitchAlgorithm }
        set { set("setAudioTimePitchAlgorithm:") { $0.audioTimePitchAlgorithm = newValue } }
    }

    /// How alternative audio tracks are exported. Preserving alternatives together with an `audioMix` is misuse.
    ///
    /// The passthrough preset always preserves them.
    public var audioTrackGroupHandling: AVAssetTrackGroupOutputHandling {
        get { options.audioTrackGroupHandling }
        set {
            guard !newValue.contains(.preserveAlternateTracks) || options.audioMix == nil else {
                return reportMisuse("setAudioTrackGroupHandling:", "alternatives cannot be preserved with an audioMix")
            }
            set("setAudioTrackGroupHandling:") { $0.audioTrackGroupHandling = newValue }
        }
    }

    /// Whether the export may read the asset several times. The value has no effect: no available encoder needs several
    /// passes.
    public var canPerformMultiplePassesOverSourceMediaData: Bool {
        get { options.wantsMultiplePasses }
        set { set("setCanPerformMultiplePassesOverSourceMediaData:") { $0.wantsMultiplePasses = newValue } }
    }

    /// The directory for temporary files. Exports write none, but fail if the directory does not exist.
    public var directoryForTemporaryFiles: URL? {
        get { options.temporaryFolder }
        set { set("setDirectoryForTemporaryFiles:") { $0.temporaryFolder = newValue } }
    }

    /// Returns the duration of the part of the time range that is estimated to fit in `fileLengthLimit`.
    private func estimatedDuration() throws(AVError) -> CMTime {
        let options = options
        let duration = try exportedRange(options).duration
        let byteRate = byteRate(options)
        guard options.fileLengthLimit > 0, byteRate > 0 else { return duration }
        return min(duration, CMTime(seconds: Double(options.fileLengthLimit) / byteRate, preferredTimescale: 1000))
    }

    /// Returns the estimated length of the file; the maximum integer for one that is longer.
    private func estimatedByteCount() throws(AVError) -> Int64 {
        let byteCount = byteRate(options) * (try estimatedDuration().seconds)
        return Int64(exactly: byteCount.rounded(.down)) ?? .max
    }

    /// Returns the estimated number of bytes per second of all exported tracks.
    private func byteRate(_ options: Options) -> Double {
        var tracks = options.tracks(of: asset, preset)
        var rate = 0.0
        if let composition = options.videoComposition, !preset.isPassthrough,
            tracks.contains(where: { $0.mediaType == .video })
        {
            tracks.removeAll { $0.mediaType == .video }
            let framesPerSecond = composition.frameDuration.seconds > 0 ? 1 / composition.frameDuration.seconds : 0
            rate += preset.estimatedBitRate(of: composition.renderDimensions, framesPerSecond) / 8
        }
        if options.audioMix != nil, !preset.isPassthrough {
            let first = tracks.firstIndex { $0.mediaType == .audio }
            tracks = tracks.enumerated().filter { $0.offset == first || $0.element.mediaType != .audio }.map(\.element)
        }
        return tracks.reduce(rate) { sum, track in sum + preset.estimatedBitRate(of: track) / 8 }
    }
}

extension ExportPreset {
    /// The estimated bit rate of an exported track, in bits per second.
    fileprivate func estimatedBitRate(of track: AVAssetTrack) -> Double {
        switch (video, track.mediaType) {
        case _ where !encodes(track): return Double(track.estimatedDataRate)
        case (.transcoded, .video):
            guard let description = track.typedFormatDescriptions.first else { return 0 }
            return estimatedBitRate(
                of: CMVideoFormatDescriptionGetDimensions(description), Double(track.nominalFrameRate))
        default:
            guard audioFormat == kAudioFormatLinearPCM else { return 128_000 }
            let stream = track.typedFormatDescriptions.first?.audioStreamBasicDescription
            return 16 * (stream?.mSampleRate ?? 48_000) * Double(min(2, stream?.mChannelsPerFrame ?? 2))
        }
    }

    /// The estimated bit rate of encoded frames of a size, in bits per second.
    fileprivate func estimatedBitRate(of dimensions: CMVideoDimensions, _ framesPerSecond: Double) -> Double {
        guard case .transcoded(let codec, let limit) = video else { return 0 }
        let size = Self.size(dimensions, within: limit)
        // Typical values. Those of ProRes follow from Apple's target rates for 1080p at 29.97 frames per second: 147
        // and 330 Mbit/s.
        let bitsPerPixel: [AVVideoCodecType: Double] = [.hevc: 0.06, .h264: 0.1, .proRes422: 2.4, .proRes4444: 5.3]
        return Double(size.width) * Double(size.height) * framesPerSecond * (bitsPerPixel[codec] ?? 0.1)
    }
}
