import CLibAV
public import Foundation
import MediaStorage
package import MediaTypes
import PixelKernels

/// Reads the tracks of a media file, packet by packet in file order.
///
/// The format is detected from the file's content, not from its name; no other file is opened.
///
/// - Important: Confined to one thread at a time.
public final class MediaFileReader {
    /// The path of the file; the URL if it is on a server.
    public let path: String
    /// The container's name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public private(set) var formatName = ""
    /// Whether the format is that of an image file, which can contain an animation.
    public var isImage: Bool {
        formatName.hasSuffix("_pipe") || ["gif", "apng", "mjpeg"].contains(formatName)
    }

    /// The creation date; nil if the container has none.
    public private(set) var creationDate: Date?
    /// The location where the recording began; nil if the container has none.
    public private(set) var location: EXIF.Location?
    /// The manufacturer of the camera; nil if the container has none.
    public private(set) var cameraMake: String?
    /// The name of the camera; nil if the container has none.
    public private(set) var cameraModel: String?
    /// The duration of the timeline of a QuickTime, MPEG-4 or Matroska file from zero on, with empty edits and tracks that
    /// are not in `tracks`; nil for other files, whose timestamps can begin anywhere, and for an empty timeline.
    package private(set) var timelineDuration: CMTime?
    /// The video and audio tracks that can be decoded, in container order.
    public private(set) var tracks: [MediaTrack] = []
    /// The video tracks that cannot be decoded: encrypted ones, and those without a decoder.
    package private(set) var undecodableVideoTracks: [MediaTrack] = []

    /// The result of a read.
    public enum Event {
        /// A packet of a selected track.
        case packet(MediaPacket)
        /// Damaged data was skipped; the value describes it. Reading can continue.
        case damaged(String)
        /// The end of the file.
        case end
    }

    // Invariant: `context` is open and reads from `input`, unless `rewind` failed.
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private var input: StorageInput?
    private let openInput: () throws(MediaFileError) -> StorageInput
    private let requiresDecodableTracks: Bool
    /// The indexes of the selected tracks; nil for all.
    private var selection: Set<Int>?
    /// The indexes of the tracks that are only read to detect jumps in the timestamps.
    private var timingTracks: Set<Int> = []
    private var timeline = PacketTimeline()
    /// The offsets of the tracks whose times libavformat changes, by track index.
    private var compositionOffsets: [Int: CompositionOffsets] = [:]
    /// The number of consecutive read errors.
    private var errorCount = 0

    /// The number of consecutive read errors after which the rest of the file is reported as damaged.
    private static let maximumErrorCount = 256

    /// Opens a file.
    ///
    /// - Throws: `.notFound`, `.notAFile`, `.notPermitted`, `.notRecognized`, `.noMedia`, `.protected`, `.inputOutput` or
    ///   `.outOfMemory`.
    public convenience init(path: String) throws(MediaFileError) {
        try self.init(path: path, requiresDecodableTracks: true)
    }

    /// Opens a file.
    ///
    /// - Parameter requiresDecodableTracks: Whether files whose tracks cannot be decoded are errors (`.noMedia`,
    ///   `.protected`); otherwise `tracks` is then empty.
    /// - Throws: As `init(path:)`.
    package convenience init(path: String, requiresDecodableTracks: Bool) throws(MediaFileError) {
        try self.init(path, requiresDecodableTracks) { () throws(MediaFileError) in
            try Self.checkFile(path)
            return try StorageInput(DiskStorage().openMedia(URL(fileURLWithPath: path)))
        }
    }

    /// Reads an open file.
    ///
    /// - Throws: `.notRecognized`, `.noMedia`, `.protected`, `.inputOutput` or `.outOfMemory`.
    convenience init(reading file: any StorageFile) throws(MediaFileError) {
        try self.init(file.url.pathOrAddress, true) { () throws(MediaFileError) in try StorageInput(file) }
    }

    private init(
        _ path: String, _ requiresDecodableTracks: Bool,
        _ openInput: @escaping () throws(MediaFileError) -> StorageInput
    ) throws(MediaFileError) {
        // Must come first: if `init` throws here, `deinit` does not run and there is nothing to close.
        try LibAV.requireForReading(path)
        self.path = path
        self.openInput = openInput
        self.requiresDecodableTracks = requiresDecodableTracks
        LibAVLog.silence()
        try open()
    }

    deinit { close() }

    /// Limits reading to the tracks with these indexes.
    ///
    /// - Parameter timingTracks: Other tracks that belong to the same timeline. Whether a long time between two packets
    ///   is a jump in the timestamps depends on all tracks that are played together.
    public func select(_ indices: Set<Int>, timingTracks: Set<Int> = []) {
        selection = indices
        self.timingTracks = timingTracks
        applySelection()
    }

    /// The jumps in the timestamps that were removed so far; empty after `rewind`.
    public var jumps: [TimestampJump] { timeline.jumps }

    /// Returns to the beginning, as if the file had just been opened.
    ///
    /// - Throws: As `init`, since the file may have changed.
    public func rewind() throws(MediaFileError) {
        close()
        try open()
    }

    /// Returns the next packet of the selected tracks. Jumps are removed from its times.
    ///
    /// - Throws: `.outOfMemory`, or `.inputOutput` if the file can no longer be read.
    public func next() throws(MediaFileError) -> Event {
        while true {
            guard let event = timeline.next() else {
                timeline.add(try read())
                continue
            }
            if case .packet(let packet) = event, let selection, !selection.contains(packet.trackIndex) { continue }
            return event
        }
    }

    /// Returns the next packet of the file that belongs to a selected track or one of `timingTracks`.
    private func read() throws(MediaFileError) -> Event {
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
        let input = try openInput()
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
        let map = isMovie ? try Self.movieMap(input.file) : MovieMap()
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
        let geometry = FileGeometry(input, formatName: formatName, map)
        compositionOffsets = compositionOffsets(map)
        let all = (0..<Int(context.pointee.nb_streams)).compactMap { track($0, geometry) }
        tracks = protection == nil ? all.filter(hasDecoder) : []
        undecodableVideoTracks = all.filter { $0.isVideo && (protection != nil || !hasDecoder($0)) }
        errorCount = 0
        guard !tracks.isEmpty || !requiresDecodableTracks else {
            close()
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
    private var isMovie: Bool { formatName.split(separator: ",").contains("mov") }

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

    /// Returns the error for an encrypted track; nil if there is none. libavformat does not decrypt it, and its decoders
    /// would return noise.
    private func protectionError(_ map: MovieMap) -> MediaFileError? {
        for track in map.tracks where ["vide", "soun"].contains(track.handler) {
            guard let entry = track.sampleEntries.first(where: { $0.isProtected }) else { continue }
            return MediaFileError(undecodable: entry, of: track, path: path)
        }
        return nil
    }

    /// Returns the error for a QuickTime or MPEG-4 file without an index; nil for other files.
    private func missingIndex(_ file: any StorageFile) throws(MediaFileError) -> MediaFileError? {
        let map = try Self.movieMap(file)
        guard map.boxes.contains(where: { $0.type == "mdat" }), map.tracks.isEmpty,
            let problem = map.problems.first(where: { $0.severity == .error })
        else { return nil }
        return MediaFileError(.noMedia, path: path, "\(path) cannot be read: \(problem.message)")
    }

    /// Returns the index of a QuickTime or MPEG-4 file; an empty one for other files.
    private static func movieMap(_ file: any StorageFile) throws(MediaFileError) -> MovieMap {
        do throws(StorageError) {
            return try MovieMap.canRead(file) ? MovieMap(reading: file) : MovieMap()
        } catch {
            throw MediaFileError(error)
        }
    }

    private func unrecognized() -> MediaFileError {
        if let failure = input?.failure { return MediaFileError(failure) }
        return MediaFileError(
            .notRecognized, path: path,
            "\(path) is not a media file of a supported format (such as .mov, .mp4, .avi, .mkv, .wav, .png or .jpg)")
    }

    private static func checkFile(_ path: String) throws(MediaFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let reason = errno
            if reason == EACCES {
                throw MediaFileError(.notPermitted, path: path, "\(path) cannot be read: permission was denied")
            }
            throw MediaFileError(.notFound, path: path, "there is no file \(path)")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw MediaFileError(.notAFile, path: path, "\(path) is a folder: name a media file in it")
        default: throw MediaFileError(.notAFile, path: path, "\(path) is not a regular file")
        }
        guard access(path, R_OK) == 0 else {
            throw MediaFileError(.notPermitted, path: path, "\(path) cannot be read: permission was denied")
        }
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
        // Matroska and ASF store presentation times only.
        let hasDecodeTimes = !isMatroska && formatName != "asf"
        let timelines = tracks.filter { isRead($0.index) }.map {
            ($0.index, TrackTimeline($0, wrapPeriod: wrapPeriod($0), hasDecodeTimes: hasDecodeTimes))
        }
        timeline = PacketTimeline(
            Dictionary(uniqueKeysWithValues: timelines), indicatesDurations: isMovie)
    }

    private func isRead(_ index: Int) -> Bool {
        guard let selection else { return true }
        return selection.contains(index) || timingTracks.contains(index)
    }

    /// Returns the nanoseconds after which the timestamps of a track restart from 0; nil if they do not within a year.
    private func wrapPeriod(_ track: MediaTrack) -> Int64? {
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
