import CLibAV
public import MediaTypes
public import PixelKernels

/// Decodes a video track.
///
/// - Important: Confined: call it from one thread or queue at a time.
public final class VideoDecoder {
    /// A decoded frame in the decoder's memory.
    public struct Frame {
        let frame: MediaFrame
        /// The presentation time, with the time scale of the track; invalid if neither the container nor the decoder
        /// specifies one.
        public let time: CMTime
        /// The presentation time that the container specifies; invalid if it specifies none.
        public let presentationTime: CMTime
        /// The duration; invalid if unknown.
        public let duration: CMTime
        /// Whether the decoder reports damage in the frame, such as a concealed part or a missing reference.
        public var isDamaged: Bool { frame.isDamaged }

        /// The width in pixels.
        public var width: Int { Int(frame.pointer.pointee.width) }
        /// The height in pixels.
        public var height: Int { Int(frame.pointer.pointee.height) }
        /// The number of bits of a component.
        package var bitsPerComponent: Int { AVPixelFormat(rawValue: frame.pointer.pointee.format).bitsPerComponent }
        /// Whether the transfer function is that of a high dynamic range: PQ or HLG.
        package var isHDR: Bool {
            [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].contains(frame.pointer.pointee.color_trc)
        }
    }

    /// The result of decoding one packet.
    public struct Output {
        /// The frames in presentation order.
        public var frames: [Frame]
        /// The decoder's message if the packet or a part of it could not be decoded.
        public var errorMessage: String?
        /// Whether the decoder refused the packet, so that it results in no frame.
        public var isRefused: Bool
    }

    /// The track that is decoded.
    public let track: MediaTrack
    private let path: String
    private let decoder: MediaDecoder
    private let converter = PixelConverter()
    private let fallbackConverter = SWScaleConverter()

    /// Creates a decoder for a track of a file.
    ///
    /// - Parameter refusesDamage: Whether damaged frames of a codec without references between frames are refused. Other
    ///   codecs mark them, see `Frame.isDamaged`.
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package init(
        demuxer: ContainerDemuxer, track: MediaTrack, refusesDamage: Bool = false
    ) throws(MediaFileError) {
        self.track = track
        path = demuxer.path
        decoder = try MediaDecoder(demuxer: demuxer, track: track, refusesDamage: refusesDamage)
    }

    /// Creates a decoder for samples that are not read by a `ContainerDemuxer`, such as sample buffers.
    ///
    /// - Parameter path: The path of the file in error messages.
    package init(_ configuration: DecoderConfiguration, track: MediaTrack, path: String) throws(MediaFileError) {
        self.track = track
        self.path = path
        decoder = try MediaDecoder(configuration, track: track, path: path)
    }

    /// Discards all pending input and output, so that decoding can start at another key frame. Also possible after the
    /// end of the data.
    package func reset() { decoder.reset() }

    /// Decodes a packet. With nil, returns the remaining frames; then only `reset` may follow.
    ///
    /// - Throws: `.outOfMemory`.
    public func decode(_ packet: MediaPacket?) throws(MediaFileError) -> Output {
        let result = try decoder.decode(packet)
        let frames = result.frames
            .filter { $0.pointer.pointee.width > 0 && $0.pointer.pointee.height > 0 }
            .map { Frame(frame: $0, time: $0.time, presentationTime: $0.presentationTime, duration: $0.duration) }
        return Output(frames: frames, errorMessage: result.errorMessage, isRefused: result.isRefused)
    }

    /// The best pixel format for the track: 420f if it uses the full range, else 420v.
    public var pixelFormat: OSType {
        guard case .video(let video) = track.content, video.isFullRange else {
            return kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        }
        return kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    }

    /// Converts a frame into a pixel buffer and attaches the color description that the file specifies, or the matrix of
    /// untagged images.
    ///
    /// - Parameters:
    ///   - pixels: A buffer of any format that `PixelConverter` writes. A frame of another size is scaled to fit inside,
    ///     with the same aspect ratio; the rest of the buffer is black.
    ///   - transform: The transform of frames with the track's size, which are scaled to the size of the buffer; nil for
    ///     none. Other frames are rotated and mirrored only, and fitted inside.
    /// - Throws: `.outOfMemory`, or `.unsupportedCodec` if the frame cannot be converted for any other reason, such as
    ///   its pixel format or that of `pixels`.
    public func render(
        _ frame: Frame, into pixels: CVPixelBuffer, _ transform: PixelTransform? = nil
    ) throws(MediaFileError) {
        let decoded = frame.frame.pointer
        ColorTags(decoded.pointee).apply(to: pixels)
        do throws(ImageError) {
            let layout = PixelLayout.of(pixelFormat: CVPixelBufferGetPixelFormatType(pixels))?.layout
            let image = try image(of: decoded, keepsTenBits: layout?.hasTenBits ?? false)
            try converter.convert(image, to: pixels, self.transform(of: image, to: pixels, transform))
        } catch {
            switch error.code {
            case .outOfMemory: throw MediaFileError(.outOfMemory, path: path, "memory ran out while decoding \(path)")
            case .unsupportedFormat, .invalidGeometry, .inaccessible, .invalidInput, .damaged, .tooLarge:
                throw MediaFileError(
                    .unsupportedCodec, path: path, "a frame of \(path) cannot be converted: \(error.message)")
            }
        }
    }

    private func transform(
        of image: PixelImage, to pixels: CVPixelBuffer, _ requested: PixelTransform?
    ) -> PixelTransform {
        if let requested {
            guard case .video(let video) = track.content, image.width == Int(video.dimensions.width),
                image.height == Int(video.dimensions.height)
            else {
                return PixelTransform(rotation: requested.rotation, isMirrored: requested.isMirrored, fitting: .fit)
            }
            return requested
        }
        // A frame of the same size fills the buffer: it is neither scaled nor surrounded with black.
        let isSameSize = image.width == CVPixelBufferGetWidth(pixels) && image.height == CVPixelBufferGetHeight(pixels)
        return PixelTransform(fitting: isSameSize ? .stretch : .fit)
    }

    private func image(of decoded: UnsafeMutablePointer<AVFrame>, keepsTenBits: Bool) throws(ImageError) -> PixelImage {
        let frame = decoded.pointee
        let format = AVPixelFormat(rawValue: frame.format)
        let tags = ColorTags(frame)
        guard let matrix = tags.matrix else {
            throw ImageError(
                .unsupportedFormat, "its matrix coefficients (\(tags.matrixCode) of ITU-T H.273) are not supported")
        }
        let encoding = YCbCrEncoding(
            matrix: matrix,
            isFullRange: frame.color_range == AVCOL_RANGE_JPEG || format.isFullRange)
        guard let layout = format.layout else {
            return try fallbackConverter.image(of: decoded, encoding: encoding, keepsTenBits: keepsTenBits)
        }
        let planes = [
            (frame.data.0, frame.linesize.0), (frame.data.1, frame.linesize.1), (frame.data.2, frame.linesize.2),
        ]
        .prefix(layout.planeCount)
        .compactMap { base, stride in base.map { ImagePlane(base: $0, stride: Int(stride)) } }
        guard planes.count == layout.planeCount else {
            throw ImageError(.inaccessible, "a plane of the decoded frame is missing")
        }
        return PixelImage(
            layout: layout, width: Int(frame.width), height: Int(frame.height), planes: planes, encoding: encoding)
    }
}

extension AVPixelFormat {
    /// The layout of a format that `PixelConverter` reads without prior conversion; nil for other formats.
    fileprivate var layout: PixelLayout? {
        switch self {
        case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P: .planar420
        case AV_PIX_FMT_NV12: .biplanar420
        case AV_PIX_FMT_YUYV422: .packed422(startsWithLuma: true)
        case AV_PIX_FMT_UYVY422: .packed422(startsWithLuma: false)
        case AV_PIX_FMT_RGB24: .rgb(.rgb)
        case AV_PIX_FMT_BGR24: .rgb(.bgr)
        case AV_PIX_FMT_BGRA, AV_PIX_FMT_BGR0: .rgb(.bgra)
        case AV_PIX_FMT_RGBA, AV_PIX_FMT_RGB0: .rgb(.rgba)
        case AV_PIX_FMT_ARGB, AV_PIX_FMT_0RGB: .rgb(.argb)
        case AV_PIX_FMT_ABGR, AV_PIX_FMT_0BGR: .rgb(.abgr)
        default: nil
        }
    }
}
