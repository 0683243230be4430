public import AssetTypes
package import CaptureHAL
public import Foundation
public import MediaTypes

/// A range of frame rates and the corresponding frame durations.
public final class AVFrameRateRange: NSObject, Sendable {
    private let range: FrameDurationRange

    init(_ range: FrameDurationRange) { self.range = range }

    /// Frames per second.
    public var minFrameRate: Double { 1 / range.maximum.seconds }
    /// Frames per second.
    public var maxFrameRate: Double { 1 / range.minimum.seconds }
    public var minFrameDuration: CMTime { range.minimum }
    public var maxFrameDuration: CMTime { range.maximum }

    public override var description: String { "<AVFrameRateRange: \(minFrameRate) - \(maxFrameRate)>" }
}

extension AVCaptureDevice {
    /// A format in which a device can deliver media.
    public final class Format: NSObject, Sendable {
        /// The format of the hardware layer.
        package let stream: StreamFormat
        /// The depth format; nil for video and audio formats.
        let depth: DepthStreamFormat?
        /// The supported depth formats, in order of preference.
        public let supportedDepthDataFormats: [Format]
        public let formatDescription: CMFormatDescription
        /// In ascending order of the frame rate; empty for audio.
        public let videoSupportedFrameRateRanges: [AVFrameRateRange]

        /// The device of the format; depth formats have none.
        private let owner = Lock(WeakReference<AVCaptureDevice>(nil))
        var device: AVCaptureDevice? { owner.withLock { $0 }.object }

        /// Sets the device of the format.
        func setDevice(_ device: AVCaptureDevice) { owner.withLock { $0 = WeakReference(device) } }

        init(_ stream: StreamFormat) {
            self.stream = stream
            depth = nil
            supportedDepthDataFormats = stream.depthFormats.map(Format.init(depth:))
            formatDescription = stream.makeFormatDescription()
            switch stream {
            case .video(let video): videoSupportedFrameRateRanges = video.frameDurations.map(AVFrameRateRange.init)
            case .audio: videoSupportedFrameRateRanges = []
            }
        }

        /// Creates a depth format: a video format with a depth or disparity pixel format.
        init(depth: DepthStreamFormat) {
            stream = .video(
                VideoStreamFormat(
                    dimensions: depth.dimensions, encoding: .pixels(depth.pixelFormat),
                    frameDurations: depth.frameDurations))
            self.depth = depth
            supportedDepthDataFormats = []
            formatDescription = stream.makeFormatDescription()
            videoSupportedFrameRateRanges = depth.frameDurations.map(AVFrameRateRange.init)
        }

        public var mediaType: AVMediaType { depth == nil ? AVMediaType(stream.media) : .depthData }

        var video: VideoStreamFormat? {
            if case .video(let video) = stream { video } else { nil }
        }

        /// The horizontal field of view in degrees; 0 if unknown.
        public var videoFieldOfView: Float { Float(video?.horizontalFieldOfView ?? 0) }
        public var isVideoBinned: Bool { video?.isBinned ?? false }
        /// The largest zoom factor. If the driver reports none for the format, the largest zoom factor of the device.
        public var videoMaxZoomFactor: CGFloat {
            let maximum = video?.maximumZoomFactor ?? 1
            return CGFloat(maximum > 1 ? maximum : device?.range(.zoomFactor)?.upperBound ?? maximum)
        }
        /// The zoom factor above which pixels are interpolated.
        public var videoZoomFactorUpscaleThreshold: CGFloat { CGFloat(video?.zoomUpscaleThreshold ?? 1) }
        /// The supported sizes of stills, ascending.
        public var supportedMaxPhotoDimensions: [CMVideoDimensions] { video?.photoDimensions ?? [] }
        /// The size of the largest still.
        public var highResolutionStillImageDimensions: CMVideoDimensions {
            video?.photoDimensions.last ?? CMVideoDimensions(width: 0, height: 0)
        }
        /// The shortest exposure time that can be set; invalid if it cannot be set.
        public var minExposureDuration: CMTime { exposureDuration(\.lowerBound) }
        /// The longest exposure time that can be set; invalid if it cannot be set.
        public var maxExposureDuration: CMTime { exposureDuration(\.upperBound) }
        /// The lowest sensitivity (ISO 12232); 0 if it cannot be set.
        public var minISO: Float { Float(isoRange?.lowerBound ?? 0) }
        /// The highest sensitivity (ISO 12232); 0 if it cannot be set.
        public var maxISO: Float { Float(isoRange?.upperBound ?? 0) }

        // The range of the device applies if the driver reports none for the format.
        private var isoRange: ClosedRange<Double>? { video?.isoRange ?? device?.range(.iso) }

        private func exposureDuration(_ bound: KeyPath<ClosedRange<Double>, Double>) -> CMTime {
            guard let seconds = (video?.exposureDurations ?? device?.range(.exposureDuration))?[keyPath: bound] else {
                return .invalid
            }
            return CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
        }

        public override var description: String {
            switch stream {
            case .video(let video):
                "<AVCaptureDeviceFormat: '\(mediaType.rawValue)' \(video.dimensions.width)x\(video.dimensions.height), "
                    + videoSupportedFrameRateRanges.map { "{\($0.minFrameRate)-\($0.maxFrameRate) fps}" }
                    .joined(separator: " ") + ">"
            case .audio(let audio):
                "<AVCaptureDeviceFormat: 'soun' \(audio.sampleRate) Hz, \(audio.channelCount) ch>"
            }
        }
    }
}

extension StreamFormat {
    fileprivate var depthFormats: [DepthStreamFormat] {
        if case .video(let video) = self { video.depthFormats } else { [] }
    }

    /// Returns the format's Core Media description.
    func makeFormatDescription() -> CMFormatDescription {
        switch self {
        case .video(let video):
            let code: OSType =
                switch video.encoding {
                case .pixels(let code), .compressed(let code): code
                }
            return CMFormatDescription(deviceVideo: code, dimensions: video.dimensions)
        case .audio(let audio):
            return CMFormatDescription(pcm: audio.streamDescription)
        }
    }
}

extension AudioStreamFormat {
    /// The format's Core Audio description: packed, interleaved, native-endian PCM.
    var streamDescription: AudioStreamBasicDescription {
        let flags: AudioFormatFlags =
            switch sample {
            case .int16, .int32: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
            case .float32: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
            }
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
            mBytesPerPacket: UInt32(bytesPerFrame), mFramesPerPacket: 1, mBytesPerFrame: UInt32(bytesPerFrame),
            mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: UInt32(sample.byteCount * 8), mReserved: 0)
    }
}
