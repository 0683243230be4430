import Foundation
import MediaStorage
import MediaTypes

/// Reads the chunks of a Core Audio file, also of one that is still being written (Apple, "Core Audio Format
/// Specification 1.0").
struct CoreAudioReader {
    /// A table of packets, or what a decoder must know, of more bytes than that is refused.
    private static let chunkByteLimit: Int64 = 1 << 28
    /// Frames of linear PCM in one run.
    private static let portion: Int64 = 1 << 24

    /// `CAFAudioDescription`.
    private struct Description {
        let sampleRate: Double
        let code: String
        let flags: UInt32
        let bytesPerPacket: UInt32
        let framesPerPacket: UInt32
        let channelCount: UInt32
        let bitsPerChannel: UInt32
    }

    private let file: any StorageFile
    private let path: String
    private let byteCount: Int64
    private var description: Description?
    private var cookie = Data()
    private var table: ByteReader?
    private var sound: Range<Int64>?

    /// - Returns: The file's one track; nil where it is no Core Audio file.
    static func read(_ file: any StorageFile) throws(MediaFileError) -> MovieMap? {
        var reader: CoreAudioReader
        do throws(StorageError) {
            guard try file.bytes(at: 0, count: 4) == Array("caff".utf8) else { return nil }
            reader = CoreAudioReader(file, byteCount: try file.byteCount())
            try reader.readChunks()
        } catch {
            throw MediaFileError(error)
        }
        return try reader.map()
    }

    private init(_ file: any StorageFile, byteCount: Int64) {
        self.file = file
        self.byteCount = byteCount
        path = file.url.path
    }

    private mutating func readChunks() throws(StorageError) {
        var offset: Int64 = 8
        while byteCount - offset >= 12 {
            var header = ByteReader(try file.bytes(at: offset, count: 12), at: offset)
            guard let type = try? header.code(), let told = try? header.signed64() else { return }
            // Zeros are no chunk.
            if type == "\0\0\0\0" { return }
            offset += 12
            // The sound may be told to reach to the file's end.
            let size = told < 0 ? byteCount - offset : min(told, byteCount - offset)
            switch type {
            case "desc": description = Self.description(try chunk(offset, size))
            case "kuki":
                var body = try chunk(offset, size)
                cookie = body.rest()
            case "pakt": table = try chunk(offset, size)
            case "data":
                // The number of edits comes first.
                sound = offset + min(4, size)..<offset + size
            default: break
            }
            offset += size
        }
    }

    private func chunk(_ offset: Int64, _ size: Int64) throws(StorageError) -> ByteReader {
        ByteReader(try file.bytes(at: offset, count: Int(min(size, Self.chunkByteLimit))), at: offset)
    }

    private static func description(_ body: ByteReader) -> Description? {
        var body = body
        guard let rate = try? body.float64(), let code = try? body.code(), let flags = try? body.unsigned32(),
            let bytesPerPacket = try? body.unsigned32(), let framesPerPacket = try? body.unsigned32(),
            let channelCount = try? body.unsigned32(), let bits = try? body.unsigned32(), rate >= 1, rate < 1e9,
            (1...64).contains(channelCount)
        else { return nil }
        return Description(
            sampleRate: rate, code: code, flags: flags, bytesPerPacket: bytesPerPacket,
            framesPerPacket: framesPerPacket, channelCount: channelCount, bitsPerChannel: bits)
    }

    private func map() throws(MediaFileError) -> MovieMap {
        guard let description, let sound else {
            throw MediaFileError(
                .noMedia, path: path, "\(path) has no sound: a chunk desc or data is missing or makes no sense")
        }
        var track = TrackMap(number: 1)
        track.handler = "soun"
        track.timescale = CMTimeScale(description.sampleRate.rounded())
        track.movieTimescale = track.timescale
        track.sampleEntries = [try entry(description)]
        if description.bytesPerPacket > 0, description.framesPerPacket > 0 {
            appendEqualPackets(description, sound, &track)
        } else {
            appendPackets(description, sound, &track)
        }
        guard !track.samples.isEmpty else {
            throw MediaFileError(.noMedia, path: path, "\(path) has no packets of sound")
        }
        track.mediaDuration = track.samples.decodeEnd
        var map = MovieMap()
        map.byteCount = byteCount
        map.timescale = track.timescale
        map.tracks = [track]
        return map
    }

    private func appendEqualPackets(_ description: Description, _ sound: Range<Int64>, _ track: inout TrackMap) {
        let size = Int64(description.bytesPerPacket)
        let duration = Int64(description.framesPerPacket)
        var offset = sound.lowerBound
        var position: Int64 = 0
        // Packets of more than one frame are told one by one, as compressed ones.
        let portion = duration == 1 ? Self.portion : 1
        while sound.upperBound - offset >= size {
            let count = min(portion, (sound.upperBound - offset) / size)
            track.samples.append(
                SampleMap.Run(
                    offset: offset, size: description.bytesPerPacket, count: UInt32(clamping: count),
                    decodeTime: position, compositionOffset: 0, duration: description.framesPerPacket, entry: 0,
                    isSync: true, isDroppable: false, fragment: 0))
            offset += count * size
            position += count * duration
        }
    }

    /// The packets of the table: the size and the frames of each, where they differ ("Packet Table Chunk").
    private func appendPackets(_ description: Description, _ sound: Range<Int64>, _ track: inout TrackMap) {
        guard var table, let count = try? table.signed64(), let validCount = try? table.signed64(),
            let priming = try? table.signed32(), (try? table.signed32()) != nil
        else { return }
        var offset = sound.lowerBound
        var position: Int64 = 0
        for _ in 0..<max(0, count) {
            var (size, duration) = (Int64(description.bytesPerPacket), Int64(description.framesPerPacket))
            if size == 0 {
                guard let told = Self.number(&table) else { break }
                size = told
            }
            if duration == 0 {
                guard let told = Self.number(&table) else { break }
                duration = told
            }
            // What is not in the file is not there; neither is what the table tells without a byte.
            guard size > 0, duration > 0, size <= sound.upperBound - offset else { break }
            track.samples.append(
                SampleMap.Run(
                    offset: offset, size: UInt32(clamping: size), count: 1, decodeTime: position,
                    compositionOffset: 0, duration: UInt32(clamping: duration), entry: 0, isSync: true,
                    isDroppable: false, fragment: 0))
            offset += size
            position += duration
        }
        let start = Int64(max(0, priming))
        let length = min(validCount, position - start)
        if length > 0, start > 0 || length < position {
            track.edits = [TrackMap.Edit(duration: length, mediaTime: start, rate: 1)]
        }
    }

    /// A number in groups of seven bits, the highest first, all but the last with the upper bit set.
    private static func number(_ reader: inout ByteReader) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<5 {
            guard let byte = try? reader.unsigned8() else { return nil }
            value = value << 7 | Int64(byte & 0x7f)
            if byte & 0x80 == 0 { return value <= Int64(UInt32.max) ? value : nil }
        }
        return nil
    }

    /// The same as an entry of a movie.
    private func entry(_ description: Description) throws(MediaFileError) -> SampleEntry {
        var audio = SampleEntry.Audio(
            channelCount: Int(description.channelCount), bitsPerChannel: Int(description.bitsPerChannel),
            sampleRate: description.sampleRate, linearFlags: nil, framesPerPacket: Int(description.framesPerPacket))
        var (code, atoms): (String, [String: Data]) = (description.code, [:])
        switch description.code {
        case "lpcm":
            // Flags of the format: 1 floating point, 2 little endian.
            let isFloat = description.flags & 1 != 0
            audio.linearFlags =
                kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | (description.flags & 2 == 0 && description.bitsPerChannel > 8 ? kAudioFormatFlagIsBigEndian : 0)
        case "aac ", "aach", "aacp":
            code = "mp4a"
            atoms["esds"] = Data([0, 0, 0, 0]) + cookie
        case "alac":
            // Older files keep it in an atom, behind one that names the format.
            let wrapped = cookie.count >= 48 && cookie.dropFirst(4).starts(with: Data("frma".utf8))
            atoms["alac"] = Data([0, 0, 0, 0]) + (wrapped ? cookie.dropFirst(24).prefix(24) : cookie)
        case "opus":
            code = "Opus"
            if let configuration = OpusConfiguration(header: Array(cookie)) {
                atoms["dOps"] = Data(configuration.specificBox)
            }
        case "ulaw", "alaw", ".mp3", "ac-3", "ec-3": break
        default:
            throw MediaFileError(
                .unsupportedCodec, path: path, "the sound of \(path) is coded as \(code), which no decoder knows")
        }
        return SampleEntry(code: code, content: .audio(audio), atoms: atoms)
    }
}

extension MovieFile {
    /// Opens a Core Audio file; nil for others.
    static func coreAudioFile(_ url: URL, _ storage: any CaptureStorage) throws(MediaFileError) -> MovieFile? {
        let file: any StorageFile
        do throws(StorageError) {
            file = try storage.open(url, for: .reading)
        } catch {
            throw MediaFileError(error)
        }
        return try CoreAudioReader.read(file).map { MovieFile(url, $0, file) }
    }
}
