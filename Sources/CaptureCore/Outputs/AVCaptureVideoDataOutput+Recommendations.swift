public import Foundation
public import MediaAssets
public import MediaTypes

/// Settings for writing what the output delivers.
extension AVCaptureVideoDataOutput {
    /// The codecs that a file can hold, the recommended one first.
    public func availableVideoCodecTypesForAssetWriter(writingTo outputFileType: AVFileType) -> [AVVideoCodecType] {
        guard let kind = WriterFileKind(outputFileType) else { return [] }
        let codecs: [(AVVideoCodecType, refusal: String?)] = [
            (.h264, kind.refusal(of: .h264)), (.hevc, kind.refusal(of: .hevc)), (.jpeg, kind.refusal(of: .jpeg)),
        ]
        return codecs.filter { $0.refusal == nil }.map(\.0)
    }

    /// Output settings for a writer input, in the size in which frames are delivered; nil where the file holds no
    /// pictures, or the output is not connected to a camera.
    public func recommendedVideoSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        availableVideoCodecTypesForAssetWriter(writingTo: outputFileType).first.flatMap(recommendedSettings(for:))
    }

    /// The same for a codec of one's choice; another than those of `availableVideoCodecTypesForAssetWriter(writingTo:)` is
    /// misuse, and gives nil.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
    ) -> [String: Any]? {
        guard isAvailable(videoCodecType, outputFileType, "assetWriterOutputFileType:") else { return nil }
        return recommendedSettings(for: videoCodecType)
    }

    /// The same; where the file is to be makes no difference here.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType,
        outputFileURL: URL?
    ) -> [String: Any]? {
        guard isAvailable(videoCodecType, outputFileType, "assetWriterOutputFileType:outputFileURL:") else {
            return nil
        }
        return recommendedSettings(for: videoCodecType)
    }

    /// Ticks a second in which the times of frames are exact to well below a frame.
    public var recommendedMediaTimeScaleForAssetWriter: CMTimeScale { 90_000 }

    private func isAvailable(_ codec: AVVideoCodecType, _ fileType: AVFileType, _ labels: String) -> Bool {
        let codecs = availableVideoCodecTypesForAssetWriter(writingTo: fileType)
        if codecs.contains(codec) { return true }
        let offer = codecs.isEmpty ? "none" : codecs.map(\.rawValue).joined(separator: ", ")
        system.misuse.report(
            .invalidArgument,
            "-[AVCaptureVideoDataOutput recommendedVideoSettingsForVideoCodecType:\(labels)] \(codec.rawValue) is not "
                + "available for files of type \(fileType.rawValue): \(offer) of "
                + "availableVideoCodecTypesForAssetWriterWithOutputFileType: can be")
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
        return result
    }

    private func frameRate(of connection: AVCaptureConnection) -> Double {
        let input = connection.inputPorts.first?.ownerIfAlive as? AVCaptureDeviceInput
        let duration = input?.device.activeVideoMinFrameDuration ?? .invalid
        return duration.isNumeric && duration > .zero ? 1 / duration.seconds : 30
    }

    private static func properties(
        _ codec: AVVideoCodecType, pixelCount: Int, frameRate: Double
    ) -> [String: Any] {
        guard codec != .jpeg else { return [AVVideoQualityKey: 0.9] }
        // About 10 Mbit/s for 1080p at 30 frames a second, and as much less as HEVC needs.
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
    /// Output settings for a writer input, in the sound's own rate and channels; nil where the file type is not known.
    public func recommendedAudioSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        guard let kind = WriterFileKind(outputFileType) else { return nil }
        let source = connection(with: .audio)?.inputPorts.first?.formatDescription?.audioStreamBasicDescription
        let channelCount = min(2, Int(source?.mChannelsPerFrame ?? 1))
        var result: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: source?.mSampleRate ?? 48000,
            AVNumberOfChannelsKey: channelCount, AVEncoderBitRateKey: 64000 * channelCount,
        ]
        guard kind.refusal(of: .aac) != nil else { return result }
        result[AVFormatIDKey] = kAudioFormatLinearPCM
        result[AVEncoderBitRateKey] = nil
        result[AVLinearPCMBitDepthKey] = 16
        result[AVLinearPCMIsFloatKey] = false
        result[AVLinearPCMIsBigEndianKey] = false
        result[AVLinearPCMIsNonInterleaved] = false
        return result
    }
}
