package import Foundation
package import MediaCodecs
package import MediaStorage
import MediaTypes

extension MovieFile {
    /// Opens a QuickTime or MPEG-4 file, or an audio file (WAVE, CAF, AIFF, AU, MP3, ADTS, FLAC) that stores packets in
    /// the form that decoders expect.
    ///
    /// - Throws: `.notFound`, `.notPermitted`, `.notAFile`, or as `open(_:)`.
    package static func open(_ url: URL, in storage: any CaptureStorage) throws(MediaFileError) -> MovieFile {
        try open(storage.openMedia(url))
    }

    /// Reads the index of an open file in one of the formats of `open(_:in:)`.
    ///
    /// - Throws: As `init(reading:)`; for audio files also `.unsupportedCodec` or `.outOfMemory`.
    package static func open(_ file: any StorageFile) throws(MediaFileError) -> MovieFile {
        do throws(MediaFileError) {
            return try MovieFile(reading: file)
        } catch  where error.code == .notRecognized {
            if let map = try CoreAudioReader.read(file) { return MovieFile(map, file) }
            return try audioFile(file)
        }
    }

    /// Creates the index of an audio file with libavformat.
    private static func audioFile(_ file: any StorageFile) throws(MediaFileError) -> MovieFile {
        let name = file.url.pathOrAddress
        let reader = try MediaFileReader(reading: file)
        let supported = ["wav", "w64", "aiff", "au", "mp3", "aac", "flac"]
        guard supported.contains(where: { reader.formatName.split(separator: ",").contains(Substring($0)) }),
            let track = reader.tracks.first(where: { !$0.isVideo }), reader.tracks.count == 1
        else {
            throw MediaFileError(
                .notRecognized, path: name,
                "\(name) has the format \(reader.formatName), which cannot be read as an asset; "
                    + "use .mov, .mp4, .m4a, .caf or .wav")
        }
        var map = MovieMap()
        do throws(StorageError) {
            map.byteCount = try file.byteCount()
        } catch {
            throw MediaFileError(error)
        }
        guard let entry = reader.demuxer.sampleEntry(ofAudio: track) else {
            throw MediaFileError(
                .unsupportedCodec, path: name,
                "the audio format of \(name) (\(track.codecName)) cannot be described")
        }
        var audio = try audioTrack(track, entry, reader)
        map.timescale = audio.timescale
        audio.movieTimescale = audio.timescale
        map.tracks = [audio]
        if let date = reader.creationDate { map.creationSecondsSince1970 = Int64(date.timeIntervalSince1970) }
        guard !audio.samples.isEmpty else {
            throw MediaFileError(.noMedia, path: name, "\(name) contains no audio")
        }
        return MovieFile(map, file)
    }

    /// Returns the track with the file positions of all packets.
    private static func audioTrack(
        _ track: MediaTrack, _ entry: SampleEntry, _ reader: MediaFileReader
    ) throws(MediaFileError) -> TrackMap {
        var result = TrackMap(number: 1)
        result.handler = "soun"
        result.timescale = entry.sampleRate
        result.sampleEntries = [entry]
        reader.select([track.index])
        let frameSize = entry.linearFrameByteCount
        var decode: Int64 = 0
        reading: while true {
            switch try reader.next() {
            case .packet(let packet):
                guard let position = packet.filePosition, packet.byteCount > 0 else { continue }
                // Linear PCM: libavformat chooses the number of frames in a packet, so each frame is a sample.
                let count = frameSize > 0 ? packet.byteCount / frameSize : 1
                let duration =
                    frameSize > 0
                    ? 1
                    : max(1, CMTimeConvertScale(packet.duration, timescale: entry.sampleRate, method: .default).value)
                guard count > 0 else { continue }
                result.samples.append(
                    SampleMap.Run(
                        offset: position, size: UInt32(clamping: frameSize > 0 ? frameSize : packet.byteCount),
                        count: UInt32(clamping: count), decodeTime: decode, compositionOffset: 0,
                        duration: UInt32(clamping: duration), entry: 0, isSync: true, isDroppable: false, fragment: 0))
                decode += duration * Int64(count)
            case .damaged: continue
            case .end: break reading
            }
        }
        result.mediaDuration = decode
        return result
    }
}

extension SampleEntry {
    fileprivate var sampleRate: CMTimeScale {
        guard case .audio(let audio) = content else { return 1 }
        return CMTimeScale(clamping: Int64(max(1, audio.sampleRate.rounded())))
    }

    /// The size of a frame of linear PCM in bytes; 0 for other codecs.
    fileprivate var linearFrameByteCount: Int {
        guard let linear = LinearFormat(self), case .audio(let audio) = content else { return 0 }
        return linear.bitsPerChannel / 8 * audio.channelCount
    }
}
