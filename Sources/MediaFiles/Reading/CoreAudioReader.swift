import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes

/// Reads the chunks of a Core Audio file, including one that is still being written (Apple, "Core Audio Format
/// Specification 1.0").
struct CoreAudioReader {
    /// The maximum number of bytes to read of a chunk other than the audio data.
    private static let chunkByteLimit: Int64 = 1 << 28
    /// The maximum number of linear PCM frames in one run.
    private static let runFrameLimit: Int64 = 1 << 24

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
    private var audioRange: Range<Int64>?

    /// Reads a Core Audio file.
    ///
    /// - Returns: The map of the file's only track; nil if it is not a Core Audio file.
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
        path = file.url.pathOrAddress
    }

    private mutating func readChunks() throws(StorageError) {
        var offset: Int64 = 8
        while byteCount - offset >= 12 {
            var header = ByteReader(try file.bytes(at: offset, count: 12), at: offset)
            guard let type = try? header.code(), let storedSize = try? header.signed64() else { return }
            // Zeros follow the last chunk of an unfinished file.
            if type == "\0\0\0\0" { return }
            offset += 12
            // A negative size means that the chunk extends to the end of the file.
            let size = storedSize < 0 ? byteCount - offset : min(storedSize, byteCount - offset)
            switch type {
            case "desc": description = Self.description(try chunk(offset, size))
            case "kuki":
                var body = try chunk(offset, size)
                cookie = body.rest()
            case "pakt": table = try chunk(offset, size)
            case "data":
                // The data starts after the edit count.
                audioRange = offset + min(4, size)..<offset + size
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
        guard let description, let audioRange else {
            throw MediaFileError(
                .noMedia, path: path, "\(path) has no audio: its desc or data chunk is missing or invalid")
        }
        var track = TrackMap(number: 1)
        track.handler = "soun"
        track.timescale = CMTimeScale(description.sampleRate.rounded())
        track.movieTimescale = track.timescale
        track.sampleEntries = [try entry(description)]
        if description.bytesPerPacket > 0, description.framesPerPacket > 0 {
            appendEqualPackets(description, audioRange, &track)
        } else {
            appendPackets(description, audioRange, &track)
        }
        guard !track.samples.isEmpty else {
            throw MediaFileError(.noMedia, path: path, "\(path) has no audio packets")
        }
        track.mediaDuration = track.samples.decodeEnd
        var map = MovieMap()
        map.byteCount = byteCount
        map.timescale = track.timescale
        map.tracks = [track]
        return map
    }

    /// Appends packets of constant size and duration.
    private func appendEqualPackets(_ description: Description, _ audioRange: Range<Int64>, _ track: inout TrackMap) {
        let size = Int64(description.bytesPerPacket)
        let duration = Int64(description.framesPerPacket)
        var offset = audioRange.lowerBound
        var position: Int64 = 0
        // Each packet of more than one frame is a run of its own, as for compressed audio of variable size.
        let limit = duration == 1 ? Self.runFrameLimit : 1
        while audioRange.upperBound - offset >= size {
            let count = min(limit, (audioRange.upperBound - offset) / size)
            track.samples.append(
                SampleMap.Run(
                    offset: offset, size: description.bytesPerPacket, count: UInt32(clamping: count),
                    decodeTime: position, compositionOffset: 0, duration: description.framesPerPacket, entry: 0,
                    isSync: true, isDroppable: false, fragment: 0))
            offset += count * size
            position += count * duration
        }
    }

    /// Appends the packets listed in the packet table, which contains the sizes and frame counts that are not constant
    /// ("Packet Table Chunk").
    private func appendPackets(_ description: Description, _ audioRange: Range<Int64>, _ track: inout TrackMap) {
        guard var table, let count = try? table.signed64(), let validCount = try? table.signed64(),
            let priming = try? table.signed32(), (try? table.signed32()) != nil
        else { return }
        var offset = audioRange.lowerBound
        var position: Int64 = 0
        for _ in 0..<max(0, count) {
            var (size, duration) = (Int64(description.bytesPerPacket), Int64(description.framesPerPacket))
            if size == 0 {
                guard let number = Self.variableLengthNumber(&table) else { break }
                size = number
            }
            if duration == 0 {
                guard let number = Self.variableLengthNumber(&table) else { break }
                duration = number
            }
            // Stop at a packet that is not in the file or is empty.
            guard size > 0, duration > 0, size <= audioRange.upperBound - offset else { break }
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

    /// Reads a number in groups of seven bits, the most significant first; all but the last have the upper bit set.
    ///
    /// - Returns: nil at the end of the table, or if the number exceeds 32 bits.
    private static func variableLengthNumber(_ reader: inout ByteReader) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<5 {
            guard let byte = try? reader.unsigned8() else { return nil }
            value = value << 7 | Int64(byte & 0x7f)
            if byte & 0x80 == 0 { return value <= Int64(UInt32.max) ? value : nil }
        }
        return nil
    }

    /// Returns the sample entry that a movie with the same audio has.
    private func entry(_ description: Description) throws(MediaFileError) -> SampleEntry {
        var audio = SampleEntry.Audio(
            channelCount: Int(description.channelCount), bitsPerChannel: Int(description.bitsPerChannel),
            sampleRate: description.sampleRate, linearFlags: nil, framesPerPacket: Int(description.framesPerPacket))
        var (code, atoms): (String, [String: Data]) = (description.code, [:])
        switch description.code {
        case "lpcm":
            // Format flags: 1 floating point, 2 little endian.
            let isFloat = description.flags & 1 != 0
            audio.linearFlags =
                kAudioFormatFlagIsPacked | (isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
                | (description.flags & 2 == 0 && description.bitsPerChannel > 8 ? kAudioFormatFlagIsBigEndian : 0)
        case "aac ", "aach", "aacp":
            code = "mp4a"
            atoms["esds"] = Data([0, 0, 0, 0]) + cookie
        case "alac":
            // Older files store the cookie in an atom that follows a format atom.
            let isWrapped = cookie.count >= 48 && cookie.dropFirst(4).starts(with: Data("frma".utf8))
            atoms["alac"] = Data([0, 0, 0, 0]) + (isWrapped ? cookie.dropFirst(24).prefix(24) : cookie)
        case "opus":
            code = "Opus"
            if let configuration = OpusConfiguration(header: Array(cookie)) {
                atoms["dOps"] = Data(configuration.specificBox)
            }
        case "ulaw", "alaw", ".mp3", "ac-3", "ec-3": break
        default:
            throw MediaFileError(
                .unsupportedCodec, path: path,
                "the audio of \(path) is encoded as \(code), which is not supported")
        }
        return SampleEntry(code: code, content: .audio(audio), atoms: atoms)
    }
}
