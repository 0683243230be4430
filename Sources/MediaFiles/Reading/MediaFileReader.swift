public import Foundation
public import MediaCodecs
import MediaStorage
package import MediaTypes

/// Reads the tracks of a media file, packet by packet in file order.
///
/// The format is detected from the file's content, not from its name; no other file is opened.
///
/// - Important: Confined to one thread at a time.
public final class MediaFileReader {
    /// The result of a read.
    public typealias Event = MediaFileEvent

    let demuxer: ContainerDemuxer
    /// The indexes of the selected tracks; nil for all.
    private var selection: Set<Int>?
    /// The indexes of the tracks that are only read to detect jumps in the timestamps.
    private var timingTracks: Set<Int> = []
    private var timeline = PacketTimeline()

    /// The path of the file; the URL if it is on a server.
    public var path: String { demuxer.path }
    /// The container's name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public var formatName: String { demuxer.formatName }
    /// Whether the format is that of an image file, which can contain an animation.
    public var isImage: Bool {
        formatName.hasSuffix("_pipe") || ["gif", "apng", "mjpeg"].contains(formatName)
    }
    /// The creation date; nil if the container has none.
    public var creationDate: Date? { demuxer.creationDate }
    /// The location where the recording began; nil if the container has none.
    public var location: EXIF.Location? { demuxer.location }
    /// The manufacturer of the camera; nil if the container has none.
    public var cameraMake: String? { demuxer.cameraMake }
    /// The name of the camera; nil if the container has none.
    public var cameraModel: String? { demuxer.cameraModel }
    /// The duration of the timeline from zero, including empty edits and tracks that are not in `tracks`. Nil for an
    /// empty timeline, and for files other than QuickTime, MPEG-4 and Matroska: their timestamps can begin at any value.
    package var timelineDuration: CMTime? { demuxer.timelineDuration }
    /// The video and audio tracks that can be decoded, in container order.
    public var tracks: [MediaTrack] { demuxer.tracks }
    /// The video and audio tracks that cannot be decoded: all if any track of the file is encrypted, otherwise those
    /// without a decoder.
    package var undecodableTracks: [MediaTrack] { demuxer.undecodableTracks }

    /// Opens a file.
    ///
    /// - Throws: `.notFound`, `.notAFile`, `.notPermitted`, `.notRecognized`, `.noMedia`, `.protected`, `.inputOutput` or
    ///   `.outOfMemory`.
    public convenience init(path: String) throws(MediaFileError) {
        try self.init(path: path, requiresDecodableTracks: true)
    }

    /// Opens a file.
    ///
    /// - Parameter requiresDecodableTracks: Whether a file without decodable tracks is an error (`.noMedia`,
    ///   `.protected`); otherwise `tracks` is then empty.
    /// - Throws: As `init(path:)`.
    package convenience init(path: String, requiresDecodableTracks: Bool) throws(MediaFileError) {
        try self.init(path, requiresDecodableTracks) { () throws(MediaFileError) in
            try Self.checkFile(path)
            return try DiskStorage().openMedia(URL(fileURLWithPath: path))
        }
    }

    /// Reads an open file.
    ///
    /// - Throws: `.notRecognized`, `.noMedia`, `.protected`, `.inputOutput` or `.outOfMemory`.
    convenience init(reading file: any StorageFile) throws(MediaFileError) {
        try self.init(file.url.pathOrAddress, true) { file }
    }

    private init(
        _ path: String, _ requiresDecodableTracks: Bool,
        _ openFile: @escaping () throws(MediaFileError) -> any StorageFile
    ) throws(MediaFileError) {
        demuxer = try ContainerDemuxer(
            path, requiresDecodableTracks: requiresDecodableTracks, openFile: openFile, readIndex: Self.movieIndex)
        restartTimeline()
    }

    /// Limits reading to the tracks with these indexes.
    ///
    /// - Parameter timingTracks: Other tracks that belong to the same timeline. Whether a long time between two packets
    ///   is a jump in the timestamps depends on all tracks that are played together.
    public func select(_ indices: Set<Int>, timingTracks: Set<Int> = []) {
        selection = indices
        self.timingTracks = timingTracks
        demuxer.select(indices.union(timingTracks))
        restartTimeline()
    }

    /// The jumps in the timestamps that were removed so far; empty after `rewind`.
    public var jumps: [TimestampJump] { timeline.jumps }

    /// Returns to the beginning, as if the file had just been opened.
    ///
    /// - Throws: As `init`, since the file may have changed.
    public func rewind() throws(MediaFileError) {
        try demuxer.rewind()
        restartTimeline()
    }

    /// Returns the next packet of the selected tracks. Jumps are removed from its times.
    ///
    /// - Throws: `.outOfMemory`, or `.inputOutput` if the file can no longer be read.
    public func next() throws(MediaFileError) -> Event {
        while true {
            guard let event = timeline.next() else {
                timeline.add(try demuxer.next())
                continue
            }
            if case .packet(let packet) = event, let selection, !selection.contains(packet.trackIndex) { continue }
            return event
        }
    }

    private func restartTimeline() {
        let timelines = tracks.filter { isRead($0.index) }.map {
            (
                $0.index,
                TrackTimeline($0, wrapPeriod: demuxer.wrapPeriod($0), hasDecodeTimes: demuxer.hasDecodeTimes)
            )
        }
        timeline = PacketTimeline(
            Dictionary(uniqueKeysWithValues: timelines), indicatesDurations: demuxer.isMovie)
    }

    private func isRead(_ index: Int) -> Bool {
        guard let selection else { return true }
        return selection.contains(index) || timingTracks.contains(index)
    }

    /// Returns the index of a QuickTime or MPEG-4 file; an empty one for other files.
    private static func movieIndex(_ file: any StorageFile) throws(MediaFileError) -> ContainerDemuxer.MovieIndex {
        var index = ContainerDemuxer.MovieIndex()
        do throws(StorageError) {
            if try MovieMap.canRead(file) { index.map = try MovieMap(reading: file) }
        } catch {
            throw MediaFileError(error)
        }
        for track in index.map.tracks where track.isVideo {
            index.apertures[track.number] = track.formatDescription?.visibleRect
        }
        return index
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
}

extension VideoDecoder {
    /// Creates a decoder for a track of a file.
    ///
    /// - Parameter refusesDamage: Whether damaged frames of a codec without references between frames are refused. Other
    ///   codecs mark them, see `Frame.isDamaged`.
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    public convenience init(
        reader: MediaFileReader, track: MediaTrack, refusesDamage: Bool = false
    ) throws(MediaFileError) {
        try self.init(demuxer: reader.demuxer, track: track, refusesDamage: refusesDamage)
    }
}

extension AudioDecoder {
    /// Creates a decoder for a track of a file.
    ///
    /// - Throws: `.unsupportedCodec` or `.outOfMemory`.
    package convenience init(
        reader: MediaFileReader, track: MediaTrack, sample: AudioStreamFormat.Sample = .int16
    ) throws(MediaFileError) {
        try self.init(demuxer: reader.demuxer, track: track, sample: sample)
    }
}
