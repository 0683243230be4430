package import CaptureHAL
public import Foundation
public import MediaAssets
public import MediaTypes

/// A range of frame rates and the frame durations that belong to them.
public final class AVFrameRateRange: NSObject, Sendable {
    private let range: FrameDurationRange

    init(_ range: FrameDurationRange) { self.range = range }

    /// Frames a second.
    public var minFrameRate: Double { 1 / range.maximum.seconds }
    /// Frames a second.
    public var maxFrameRate: Double { 1 / range.minimum.seconds }
    public var minFrameDuration: CMTime { range.minimum }
    public var maxFrameDuration: CMTime { range.maximum }

    public override var description: String { "<AVFrameRateRange: \(minFrameRate) - \(maxFrameRate)>" }
}

extension AVCaptureDevice {
    /// One thing that a device can deliver.
    public final class Format: NSObject, Sendable {
        package let stream: StreamFormat
        /// What the format is where it is one of depth.
        let depth: DepthStreamFormat?
        /// The depth maps that can come with pictures of this format, the preferred ones first.
        public let supportedDepthDataFormats: [Format]
        public let formatDescription: CMFormatDescription
        /// Ascending by rate; empty for sound.
        public let videoSupportedFrameRateRanges: [AVFrameRateRange]

        /// The device whose format this is; a format of depth has none.
        private let owner = Lock(WeakReference<AVCaptureDevice>(nil))
        var device: AVCaptureDevice? { owner.withLock { $0 }.object }

        func join(_ device: AVCaptureDevice) { owner.withLock { $0 = WeakReference(device) } }

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

        /// A format of depth: its maps are pictures of one number a pixel.
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

        /// Horizontal, in degrees; 0 where unknown.
        public var videoFieldOfView: Float { Float(video?.horizontalFieldOfView ?? 0) }
        public var isVideoBinned: Bool { video?.isBinned ?? false }
        /// Drivers tell how far a camera zooms, not how far it does in each format: then it is the same in all.
        public var videoMaxZoomFactor: CGFloat {
            let own = video?.maximumZoomFactor ?? 1
            return CGFloat(own > 1 ? own : device?.range(.zoomFactor)?.upperBound ?? own)
        }
        /// The zoom factor above which pixels are interpolated.
        public var videoZoomFactorUpscaleThreshold: CGFloat { CGFloat(video?.zoomUpscaleThreshold ?? 1) }
        /// The sizes of stills on offer, ascending.
        public var supportedMaxPhotoDimensions: [CMVideoDimensions] { video?.photoDimensions ?? [] }
        /// The size of the largest still.
        public var highResolutionStillImageDimensions: CMVideoDimensions {
            video?.photoDimensions.last ?? CMVideoDimensions(width: 0, height: 0)
        }
        /// The shortest exposure time that can be set; invalid where none can.
        public var minExposureDuration: CMTime { exposure(\.lowerBound) }
        /// The longest exposure time that can be set; invalid where none can.
        public var maxExposureDuration: CMTime { exposure(\.upperBound) }
        /// ISO 12232; 0 where it cannot be set.
        public var minISO: Float { Float(isoRange?.lowerBound ?? 0) }
        /// ISO 12232; 0 where it cannot be set.
        public var maxISO: Float { Float(isoRange?.upperBound ?? 0) }

        // Drivers tell what a camera takes, not what it does in each format: then it is the same in all.
        private var isoRange: ClosedRange<Double>? { video?.isoRange ?? device?.range(.iso) }

        private func exposure(_ bound: KeyPath<ClosedRange<Double>, Double>) -> CMTime {
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

    /// The format as Core Media describes it.
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
    /// The format as Core Audio describes it: packed, interleaved, native endian PCM.
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
