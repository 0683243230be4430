public import AssetTypes
public import Foundation
import MediaCodecs
public import MediaTypes

/// Recommended settings of asset writer inputs for the delivered samples.
extension AVCaptureVideoDataOutput {
    /// Returns the codecs that a file type supports, the recommended codec first.
    public func availableVideoCodecTypesForAssetWriter(writingTo outputFileType: AVFileType) -> [AVVideoCodecType] {
        guard let kind = WriterFileKind(outputFileType) else { return [] }
        let codecs: [(AVVideoCodecType, rejection: String?)] = [
            (.h264, kind.rejectionReason(for: .h264)), (.hevc, kind.rejectionReason(for: .hevc)),
            (.jpeg, kind.rejectionReason(for: .jpeg)),
        ]
        let supported = codecs.filter { $0.rejection == nil }.map(\.0)
        let recommended = connection(with: .video)?.deviceInput?.device.movieCodec
        return supported.filter { $0 == recommended } + supported.filter { $0 != recommended }
    }

    /// Returns the output settings of a writer input for the delivered size and the recommended codec.
    ///
    /// - Returns: Nil if the file type does not support video, or the output is not connected to a camera.
    public func recommendedVideoSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        availableVideoCodecTypesForAssetWriter(writingTo: outputFileType).first.flatMap(recommendedSettings(for:))
    }

    /// Returns the output settings of a writer input for a codec.
    ///
    /// - Returns: Nil if the codec is not one of `availableVideoCodecTypesForAssetWriter(writingTo:)`, which is
    ///   misuse, or if the output is not connected to a camera.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
    ) -> [String: Any]? {
        let method = "recommendedVideoSettingsForVideoCodecType:assetWriterOutputFileType:"
        guard checkAvailability(of: videoCodecType, outputFileType, method) else { return nil }
        return recommendedSettings(for: videoCodecType)
    }

    /// Returns the output settings of a writer input for a codec; `outputFileURL` is not used.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType,
        outputFileURL: URL?
    ) -> [String: Any]? {
        let method = "recommendedVideoSettingsForVideoCodecType:assetWriterOutputFileType:outputFileURL:"
        guard checkAvailability(of: videoCodecType, outputFileType, method) else { return nil }
        return recommendedSettings(for: videoCodecType)
    }

    /// Returns the metadata of a writer for a codec: the manufacturer and the model of the camera.
    ///
    /// - Returns: Nil if the codec is not one of `availableVideoCodecTypesForAssetWriter(writingTo:)`, which is
    ///   misuse, or if the output is not connected to a camera.
    public func recommendedMovieMetadata(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
    ) -> [AVMetadataItem]? {
        let input = connection(with: .video)?.deviceInput
        let method = "recommendedMovieMetadataForVideoCodecType:assetWriterOutputFileType:"
        guard checkAvailability(of: videoCodecType, outputFileType, method),
            let device = input?.device
        else { return nil }
        return [
            (AVMetadataIdentifier.commonIdentifierMake, device.manufacturer),
            (.commonIdentifierModel, device.modelID),
        ].map { identifier, value in
            let item = AVMutableMetadataItem()
            item.identifier = identifier
            item.value = value as NSString
            return item
        }
    }

    /// The recommended time scale: 90 kHz, the clock of MPEG transport streams and RTP, a multiple of the usual frame
    /// rates.
    public var recommendedMediaTimeScaleForAssetWriter: CMTimeScale { 90_000 }

    /// Reports misuse if a codec is not available for a file type.
    ///
    /// - Parameter method: The selector of the method that was called.
    /// - Returns: Whether the codec is available.
    private func checkAvailability(of codec: AVVideoCodecType, _ fileType: AVFileType, _ method: String) -> Bool {
        let codecs = availableVideoCodecTypesForAssetWriter(writingTo: fileType)
        if codecs.contains(codec) { return true }
        let available = codecs.isEmpty ? "none" : codecs.map(\.rawValue).joined(separator: ", ")
        system.misuse.report(
            .invalidArgument,
            "-[AVCaptureVideoDataOutput \(method)] \(codec.rawValue) is not available for files of type "
                + "\(fileType.rawValue); "
                + "availableVideoCodecTypesForAssetWriterWithOutputFileType: returns \(available)")
        return false
    }

    private func recommendedSettings(for codec: AVVideoCodecType) -> [String: Any]? {
        let settings = videoSettings ?? [:]
        guard let connection = connection(with: .video),
            let width = (settings[kCVPixelBufferWidthKey] ?? settings[AVVideoWidthKey]) as? Int,
            let height = (settings[kCVPixelBufferHeightKey] ?? settings[AVVideoHeightKey]) as? Int
        else { return nil }
        var result: [String: Any] = [
            AVVideoCodecKey: codec, AVVideoWidthKey: width, AVVideoHeightKey: height,
        ]
        result[AVVideoCompressionPropertiesKey] = Self.properties(
            codec, pixelCount: width * height, frameRate: frameRate(of: connection))
        return result.plainSettings
    }

    private func frameRate(of connection: AVCaptureConnection) -> Double {
        let input = connection.deviceInput
        let duration = input?.device.activeVideoMinFrameDuration ?? .invalid
        return duration.isNumeric && duration > .zero ? 1 / duration.seconds : 30
    }

    private static func properties(
        _ codec: AVVideoCodecType, pixelCount: Int, frameRate: Double
    ) -> [String: Any] {
        guard codec != .jpeg else { return [AVVideoQualityKey: 0.9] }
        // About 10 Mbit/s for 1080p at 30 frames per second with H.264; HEVC needs less.
        let bitsPerPixel = codec == .hevc ? 0.1 : 0.17
        var result: [String: Any] = [
            AVVideoAverageBitRateKey: Int(Double(pixelCount) * frameRate * bitsPerPixel),
            AVVideoExpectedSourceFrameRateKey: Int(frameRate.rounded()),
            AVVideoMaxKeyFrameIntervalDurationKey: 1, AVVideoAllowFrameReorderingKey: false,
        ]
        if codec == .h264 { result[AVVideoProfileLevelKey] = AVVideoProfileLevelH264HighAutoLevel }
        return result
    }
}

extension AVCaptureAudioDataOutput {
    /// Returns the output settings of a writer input for the device's sample rate and at most two of its channels; nil
    /// for an unknown file type.
    public func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        guard let kind = WriterFileKind(outputFileType) else { return nil }
        let source = connection(with: .audio)?.inputPorts.first?.formatDescription?.audioStreamBasicDescription
        let channelCount = min(2, Int(source?.mChannelsPerFrame ?? 1))
        var result: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: source?.mSampleRate ?? 48000,
            AVNumberOfChannelsKey: channelCount, AVEncoderBitRateKey: 64000 * channelCount,
        ]
        guard kind.rejectionReason(for: .aac) != nil else { return result.plainSettings }
        result[AVFormatIDKey] = kAudioFormatLinearPCM
        result[AVEncoderBitRateKey] = nil
        result[AVLinearPCMBitDepthKey] = 16
        result[AVLinearPCMIsFloatKey] = false
        result[AVLinearPCMIsBigEndianKey] = false
        result[AVLinearPCMIsNonInterleaved] = false
        return result.plainSettings
    }
}
