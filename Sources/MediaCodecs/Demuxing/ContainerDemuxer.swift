import CLibAV
package import Foundation
package import MediaStorage
package import MediaTypes
package import PixelKernels

/// Reads the packets of a media file with libavformat. The times are those of the file.
///
/// - Important: Confined to one thread at a time.
package final class ContainerDemuxer {
    /// The parts of a QuickTime or MPEG-4 file's index that libavformat does not report.
    package struct MovieIndex {
        /// Empty for other files.
        package var map = MovieMap()
        /// The clean apertures by track number.
        package var apertures: [UInt32: PixelRect] = [:]

        package init() {}
    }

    /// The path of the file; the URL if it is on a server.
    package let path: String
    /// The container's name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package private(set) var formatName = ""

    /// The creation date; nil if the container has none.
    package private(set) var creationDate: Date?
    /// The location where the recording began; nil if the container has none.
    package private(set) var location: EXIF.Location?
    /// The manufacturer of the camera; nil if the container has none.
    package private(set) var cameraMake: String?
    /// The name of the camera; nil if the container has none.
    package private(set) var cameraModel: String?
    /// The duration of the timeline from zero, including empty edits and tracks that are not in `tracks`. Nil for an
    /// empty timeline, and for files other than QuickTime, MPEG-4 and Matroska: their timestamps can begin at any value.
    package private(set) var timelineDuration: CMTime?
    /// The video and audio tracks that can be decoded, in container order.
    package private(set) var tracks: [MediaTrack] = []
    /// The video and audio tracks that cannot be decoded: all if any track of the file is encrypted, otherwise those
    /// without a decoder.
    package private(set) var undecodableTracks: [MediaTrack] = []

    // Invariant: `context` is open and reads from `input`; both are nil after `rewind` failed.
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var input: StorageInput?
    private let openFile: () throws(MediaFileError) -> any StorageFile
    private let readIndex: (any StorageFile) throws(MediaFileError) -> MovieIndex
    private let requiresDecodableTracks: Bool
    /// The indexes of the selected tracks; nil for all.
    private var selection: Set<Int>?
    /// The offsets of the tracks whose times libavformat changes, by track index.
    private var compositionOffsets: [Int: CompositionOffsets] = [:]
    /// The number of consecutive read errors.
    private var errorCount = 0

    /// The number of consecutive read errors after which the rest of the file is reported as damaged.
    private static let maximumErrorCount = 256

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - requiresDecodableTracks: Whether a file without decodable tracks is an error (`.noMedia`, `.protected`);
    ///     otherwise `tracks` is then empty.
    ///   - openFile: Opens the file at its beginning.
    ///   - readIndex: Reads the index of a QuickTime or MPEG-4 file; returns an empty one for other files.
    /// - Throws: `.notRecognized`, `.noMedia`, `.protected`, `.inputOutput` or `.outOfMemory`, and the errors of the
    ///   closures.
    package init(
        _ path: String, requiresDecodableTracks: Bool,
        openFile: @escaping () throws(MediaFileError) -> any StorageFile,
        readIndex: @escaping (any StorageFile) throws(MediaFileError) -> MovieIndex
    ) throws(MediaFileError) {
        // Must come first: if `init` throws here, `deinit` does not run and there is nothing to close.
        try LibAV.requireForReading(path)
        self.path = path
        self.openFile = openFile
        self.readIndex = readIndex
        self.requiresDecodableTracks = requiresDecodableTracks
        LibAVLog.silence()
        try open()
    }

    deinit { close() }

    /// Limits reading to the tracks with these indexes.
    package func select(_ indices: Set<Int>) {
        selection = indices
        applySelection()
    }

    /// Returns to the beginning, as if the file had just been opened.
    ///
    /// - Throws: As `init`, since the file may have changed.
    package func rewind() throws(MediaFileError) {
        close()
        do throws(MediaFileError) {
            try open()
        } catch {
            close()
            throw error
        }
    }

    /// Returns the next packet of the selected tracks.
    ///
    /// - Throws: `.outOfMemory`, or `.inputOutput` if the file can no longer be read.
    package func next() throws(MediaFileError) -> MediaFileEvent {
        guard let context else { throw MediaFileError(.inputOutput, path: path, "\(path) is not open") }
        while true {
            var packet = av_packet_alloc()
            guard let pointer = packet else {
                throw MediaFileError(.outOfMemory, path: path, "memory ran out while reading \(path)")
            }
            let (result, message) = LibAVLog.capturing { av_read_frame(context, pointer) }
            guard result < 0 else {
                errorCount = 0
                let index = Int(pointer.pointee.stream_index)
                guard let track = tracks.first(where: { $0.index == index }), isRead(index) else {
                    av_packet_free(&packet)
                    continue
                }
                let read = MediaPacket(pointer: pointer, timeBase: track.timeBase)
                compositionOffsets[index]?.apply(to: read)
                return .packet(read)
            }
            av_packet_free(&packet)
            if let failure = input?.failure { throw MediaFileError(failure) }
            if clibav_is_end(result) != 0 { return .end }
            if clibav_is_out_of_memory(result) != 0 {
                throw MediaFileError(.outOfMemory, path: path, "memory ran out while reading \(path)")
            }
            errorCount += 1
            let reason = message ?? LibAVLog.text(for: result)
            if errorCount > Self.maximumErrorCount { return .end }
            return .damaged(
                errorCount == Self.maximumErrorCount
                    ? "the rest of the file cannot be read after \(errorCount) errors in a row: \(reason)" : reason)
        }
    }

    /// Returns libavformat's codec parameters of a track, valid until the next `rewind`.
    func parameters(ofTrack index: Int) -> UnsafeMutablePointer<AVCodecParameters>? {
        stream(index)?.pointee.codecpar
    }

    // MARK: Opening

    /// The demuxers to use: those of containers and elementary streams. Playlists, which refer to other files, and text
    /// formats are excluded.
    private static let formats = """
        mov,mp4,avi,matroska,webm,mpegts,mpeg,mpegvideo,ogg,flv,asf,wav,w64,flac,mp3,aac,aiff,caf,au,mxf,\
        h264,hevc,av1,obu,mjpeg,m4v,ivf,nut,rm,dv,yuv4mpegpipe,ac3,eac3,amr,tta,wv,ape,\
        gif,apng,png_pipe,jpeg_pipe,bmp_pipe,webp_pipe,tiff_pipe,jpegxl_pipe,ppm_pipe,pgm_pipe,qoi_pipe
        """

    private func open() throws(MediaFileError) {
        let input = try StorageInput(openFile())
        self.input = input
        let format = try Self.isTransportStream(input.file) ? av_find_input_format("mpegts") : nil
        context = avformat_alloc_context()
        guard let created = context else {
            throw MediaFileError(.outOfMemory, path: path, "memory ran out while opening \(path)")
        }
        created.pointee.pb = input.context
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "format_whitelist", Self.formats, 0)
        // References to other files are not followed.
        av_dict_set(&options, "protocol_whitelist", "none", 0)
        // On failure, this call frees the context.
        let result = avformat_open_input(&context, nil, format, &options)
        guard result >= 0, let context else { throw try missingIndex(input.file) ?? unrecognized() }
        // Lower scores are guesses, which libavformat also returns for plain text.
        guard format != nil || context.pointee.probe_score >= AVPROBE_SCORE_MAX / 4,
            avformat_find_stream_info(context, nil) >= 0
        else { throw unrecognized() }
        formatName = String(cString: context.pointee.iformat.pointee.name)
        let index = isMovie ? try readIndex(input.file) : MovieIndex()
        let map = index.map
        let protection = protectionError(map)
        if requiresDecodableTracks, let protection { throw protection }
        let duration = isMatroska ? CMTime(value: context.pointee.duration, timescale: AV_TIME_BASE) : map.duration
        timelineDuration = duration > .zero ? duration : nil
        creationDate = Self.creationDate(in: context.pointee.metadata)
        location = Self.location(in: context.pointee.metadata)
        cameraMake = Self.text(
            ofKeys: ["com.apple.quicktime.make", "make", "com.android.manufacturer"], in: context.pointee.metadata)
        cameraModel = Self.text(
            ofKeys: ["com.apple.quicktime.model", "model", "com.android.model"], in: context.pointee.metadata)
        let geometry = FileGeometry(input, formatName: formatName, apertures: index.apertures)
        compositionOffsets = compositionOffsets(map)
        let all = (0..<Int(context.pointee.nb_streams)).compactMap { track($0, geometry) }
        tracks = protection == nil ? all.filter(hasDecoder) : []
        undecodableTracks = all.filter { protection != nil || !hasDecoder($0) }
        errorCount = 0
        guard !tracks.isEmpty || !requiresDecodableTracks else {
            throw MediaFileError(
                .noMedia, path: path, "\(path) has neither video nor audio that can be decoded")
        }
        applySelection()
    }

    private func compositionOffsets(_ map: MovieMap) -> [Int: CompositionOffsets] {
        guard let context else { return [:] }
        return (0..<Int(context.pointee.nb_streams)).reduce(into: [:]) { offsets, index in
            guard let number = stream(index).flatMap({ UInt32(exactly: $0.pointee.id) }) else { return }
            offsets[index] = map.track(number).flatMap { CompositionOffsets($0, of: map) }
        }
    }

    /// Whether the file is a QuickTime or MPEG-4 file.
    package var isMovie: Bool { formatName.split(separator: ",").contains("mov") }

    /// Whether the container stores decode times. Matroska and ASF store presentation times only.
    package var hasDecodeTimes: Bool { !isMatroska && formatName != "asf" }

    private var isMatroska: Bool { formatName.split(separator: ",").contains("matroska") }

    /// Whether a file consists of packets of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3.2). libavformat does not
    /// recognize a stream of a few packets.
    private static func isTransportStream(_ file: any StorageFile) throws(MediaFileError) -> Bool {
        do throws(StorageError) {
            let byteCount = try file.byteCount()
            // Program association, program map and media.
            guard byteCount % 188 == 0, byteCount >= 3 * 188 else { return false }
            let start = try file.bytes(at: 0, count: Int(min(byteCount, 64 * 188)))
            return stride(from: 0, to: start.count, by: 188).allSatisfy { start[$0] == 0x47 }
        } catch {
            throw MediaFileError(error)
        }
    }

    /// Returns the error for the first encrypted video or audio track; nil if there is none. The whole file is then
    /// refused: libavformat does not decrypt it, and its decoders would return noise.
    private func protectionError(_ map: MovieMap) -> MediaFileError? {
        for track in map.tracks where ["vide", "soun"].contains(track.handler) {
            guard let entry = track.sampleEntries.first(where: { $0.isProtected }) else { continue }
            return MediaFileError(undecodable: entry, of: track, path: path)
        }
        return nil
    }

    /// Returns the error for a QuickTime or MPEG-4 file without an index; nil for other files.
    private func missingIndex(_ file: any StorageFile) throws(MediaFileError) -> MediaFileError? {
        let map = try readIndex(file).map
        guard map.boxes.contains(where: { $0.type == "mdat" }), map.tracks.isEmpty,
            let problem = map.problems.first(where: { $0.severity == .error })
        else { return nil }
        return MediaFileError(.noMedia, path: path, "\(path) cannot be read: \(problem.message)")
    }

    private func unrecognized() -> MediaFileError {
        if let failure = input?.failure { return MediaFileError(failure) }
        return MediaFileError(
            .notRecognized, path: path,
            "\(path) is not a media file of a supported format (such as .mov, .mp4, .avi, .mkv, .wav, .png or .jpg)")
    }

    private func close() {
        avformat_close_input(&context)
        // Closing the context does not close its input.
        input = nil
    }

    private func applySelection() {
        guard let context else { return }
        for index in 0..<Int(context.pointee.nb_streams) {
            stream(index)?.pointee.discard = isRead(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    private func isRead(_ index: Int) -> Bool {
        selection?.contains(index) ?? true
    }

    /// Returns the nanoseconds after which the timestamps of a track restart from 0; nil for timestamps of 48 or more
    /// bits, which are never exhausted.
    package func wrapPeriod(_ track: MediaTrack) -> Int64? {
        guard let bitCount = stream(track.index)?.pointee.pts_wrap_bits, (1..<48).contains(bitCount) else { return nil }
        let period = track.timeBase.time(1 << Int64(bitCount))
        return period.isValid ? period.fileNanoseconds : nil
    }

    // MARK: Tracks

    private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard let context, index >= 0, index < Int(context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[index]
    }

    private func hasDecoder(_ track: MediaTrack) -> Bool {
        parameters(ofTrack: track.index).map { avcodec_find_decoder($0.pointee.codec_id) != nil } ?? false
    }

    private func track(_ index: Int, _ geometry: FileGeometry) -> MediaTrack? {
        guard let stream = stream(index), let parameters = stream.pointee.codecpar,
            stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        else { return nil }
        let timeBase = MediaTimeBase(numerator: stream.pointee.time_base.num, denominator: stream.pointee.time_base.den)
        let content: MediaTrack.Content
        switch parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            guard let video = video(stream, parameters.pointee, geometry) else { return nil }
            content = .video(video)
        case AVMEDIA_TYPE_AUDIO:
            let rate = Int(parameters.pointee.sample_rate)
            let channels = Int(parameters.pointee.ch_layout.nb_channels)
            guard (1...768_000).contains(rate), (1...64).contains(channels) else { return nil }
            content = .audio(MediaTrack.Audio(sampleRate: rate, channelCount: channels))
        default:
            return nil
        }
        let start = compositionOffsets[index]?.start ?? timeBase.time(knownTimestamp(stream.pointee.start_time))
        let duration = timeBase.time(knownTimestamp(stream.pointee.duration))
        let decoder = avcodec_find_decoder(parameters.pointee.codec_id)
        return MediaTrack(
            index: index, content: content, codecName: decoder.map { String(cString: $0.pointee.name) } ?? "",
            startTime: start.isValid ? start : .zero, duration: duration.value > 0 ? duration : .invalid,
            timeBase: timeBase)
    }

    private func video(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters, _ geometry: FileGeometry
    ) -> MediaTrack.Video? {
        let sides = 1...Int32(16384)
        guard sides.contains(parameters.width), sides.contains(parameters.height) else { return nil }
        var rate = stream.pointee.avg_frame_rate
        if rate.num <= 0 || rate.den <= 0 { rate = stream.pointee.r_frame_rate }
        let isKnown = rate.num > 0 && rate.den > 0
        let format = AVPixelFormat(rawValue: parameters.format)
        var video = MediaTrack.Video(
            dimensions: CMVideoDimensions(width: parameters.width, height: parameters.height), rotation: .none,
            isFullRange: parameters.color_range == AVCOL_RANGE_JPEG || format.isFullRange,
            frameDuration: isKnown ? CMTime(value: Int64(rate.den), timescale: rate.num) : .invalid)
        video.isHDR =
            [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67].contains(parameters.color_trc)
            && format.bitsPerComponent > 8
        geometry.apply(to: &video, of: stream)
        return video
    }
}

extension AVPixelFormat {
    /// The number of bits of a component; 8 for unknown formats.
    var bitsPerComponent: Int { av_pix_fmt_desc_get(self).map { Int($0.pointee.comp.0.depth) } ?? 8 }

    /// Whether the format always uses the full value range.
    var isFullRange: Bool {
        switch self {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ411P:
            true
        default:
            false
        }
    }
}
