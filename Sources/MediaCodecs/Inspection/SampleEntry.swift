package import Foundation
package import MediaTypes

/// An entry of a track's sample description: what its samples are (ISO/IEC 14496-12, 8.5.2; QTFF, "Media Data Atom
/// Types").
package struct SampleEntry: Sendable {
    package enum Content: Sendable {
        case video(Video)
        case audio(Audio)
        /// Timecode, text, metadata: what is behind the common fields.
        case other(Data)
    }

    package struct Video: Sendable, Hashable {
        package var dimensions: CMVideoDimensions
        package var depth: Int
        package var name: String
    }

    package struct Audio: Sendable, Hashable {
        package var channelCount: Int
        package var bitsPerChannel: Int
        package var sampleRate: Double
        /// Of QuickTime's second version of the entry; nil in the others.
        package var linearFlags: UInt32?
        /// QuickTime's compressed formats: sound frames in a packet; 0 where not told.
        package var framesPerPacket: Int
    }

    package var code: String
    package var content: Content
    /// The contents of the boxes inside, by type; those of `wave` among them.
    package var atoms: [String: Data]
    /// The whole box.
    package var bytes: Data
    package var byteCount: Int { bytes.count }

    /// Whether each sample is one frame of linear PCM.
    package var isLinearPCM: Bool { LinearFormat(self) != nil }

    /// An entry that was not read from a movie.
    init(code: String, content: Content, atoms: [String: Data]) {
        self.code = code
        self.content = content
        self.atoms = atoms
        bytes = Data()
    }

    /// - Parameter handler: The track's kind of media.
    init(_ box: MemoryBox, whole: Data, handler: String) throws(ByteReader.Shortage) {
        code = box.type
        bytes = whole
        var body = box.body
        try body.skip(8)
        atoms = [:]
        switch handler {
        case "vide":
            try body.skip(16)
            let dimensions = CMVideoDimensions(
                width: Int32(try body.unsigned16()), height: Int32(try body.unsigned16()))
            try body.skip(14)
            var name = try body.part(32)
            let length = try name.unsigned8()
            let text = try name.data(min(Int(length), 31))
            let depth = Int(try body.unsigned16())
            try body.skip(2)
            content = .video(Video(dimensions: dimensions, depth: depth, name: String(decoding: text, as: UTF8.self)))
            collectAtoms(body)
        case "soun":
            content = .audio(try Self.audio(&body))
            collectAtoms(body)
        default:
            content = .other(body.rest())
        }
    }

    /// QTFF, "Sound Sample Description", versions 0 to 2; version 0 is ISO's `AudioSampleEntry`.
    private static func audio(_ body: inout ByteReader) throws(ByteReader.Shortage) -> Audio {
        let version = try body.unsigned16()
        try body.skip(6)
        let channels = try body.unsigned16()
        let bits = try body.unsigned16()
        try body.skip(4)
        let rate = Double(try body.unsigned32()) / 65536
        var audio = Audio(
            channelCount: Int(channels), bitsPerChannel: Int(bits), sampleRate: rate, linearFlags: nil,
            framesPerPacket: 0)
        if version == 1 {
            audio.framesPerPacket = Int(try body.unsigned32())
            try body.skip(12)
        } else if version == 2 {
            try body.skip(4)
            audio.sampleRate = try body.float64()
            audio.channelCount = Int(try body.unsigned32())
            try body.skip(4)
            audio.bitsPerChannel = Int(try body.unsigned32())
            audio.linearFlags = try body.unsigned32()
            try body.skip(4)
            audio.framesPerPacket = Int(try body.unsigned32())
        }
        return audio
    }

    /// - Parameter opensWave: Whether the boxes in `wave` count, which lie there once and no deeper.
    private mutating func collectAtoms(_ body: ByteReader, opensWave: Bool = true) {
        for box in body.boxes() {
            var reader = box.body
            if box.type == "wave", opensWave {
                collectAtoms(reader, opensWave: false)
            } else if atoms[box.type] == nil {
                atoms[box.type] = reader.rest()
            }
        }
    }
}

/// How a sample entry of linear PCM lays its samples out.
struct LinearFormat: Equatable {
    var bitsPerChannel: Int
    var isFloat: Bool
    var isBigEndian: Bool
    var isSigned: Bool

    /// Nil where the entry is of another coding.
    init?(_ entry: SampleEntry) {
        guard case .audio(let audio) = entry.content else { return nil }
        // QTFF, "enda": 1 for little endian.
        let isLittle = entry.atoms["enda"].map { $0.count >= 2 && $0[$0.startIndex + 1] == 1 } ?? false
        switch entry.code {
        case "sowt": self.init(audio.bitsPerChannel, isBigEndian: false)
        case "twos": self.init(audio.bitsPerChannel, isBigEndian: true)
        case "in24": self.init(24, isBigEndian: !isLittle)
        case "in32": self.init(32, isBigEndian: !isLittle)
        case "fl32": self.init(32, isFloat: true, isBigEndian: !isLittle)
        case "fl64": self.init(64, isFloat: true, isBigEndian: !isLittle)
        case "raw ", "NONE": self.init(audio.bitsPerChannel, isBigEndian: true, isSigned: audio.bitsPerChannel > 8)
        case "lpcm":
            guard let flags = audio.linearFlags else { return nil }
            self.init(
                audio.bitsPerChannel, isFloat: flags & kAudioFormatFlagIsFloat != 0,
                isBigEndian: flags & kAudioFormatFlagIsBigEndian != 0,
                isSigned: flags & kAudioFormatFlagIsSignedInteger != 0)
        case "ipcm", "fpcm":
            // ISO/IEC 23003-5, 5.1: version and flags, format flags, sample size.
            guard let record = entry.atoms["pcmC"], record.count >= 6 else { return nil }
            let start = record.startIndex
            self.init(
                Int(record[start + 5]), isFloat: entry.code == "fpcm", isBigEndian: record[start + 4] & 1 == 0)
        default: return nil
        }
    }

    private init?(_ bits: Int, isFloat: Bool = false, isBigEndian: Bool, isSigned: Bool = true) {
        guard isFloat ? [32, 64].contains(bits) : [8, 16, 24, 32].contains(bits) else { return nil }
        bitsPerChannel = bits
        self.isFloat = isFloat
        self.isBigEndian = isBigEndian
        self.isSigned = isSigned || isFloat
    }
}
