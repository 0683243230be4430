package import Foundation
package import MediaTypes

/// A sample description entry: the format of a track's samples (ISO/IEC 14496-12, 8.5.2; QTFF, "Media Data Atom
/// Types").
package struct SampleEntry: Sendable {
    /// The fields that depend on the media type.
    package enum Content: Sendable {
        case video(Video)
        case audio(Audio)
        /// Timecode, text or metadata: the bytes after the common fields.
        case other(Data)
    }

    /// The fields of video.
    package struct Video: Sendable {
        /// The size in pixels.
        package var dimensions: CMVideoDimensions
        /// The bits per pixel.
        package var depth: Int
        /// The name of the encoder (`compressorname`).
        package var name: String

        package init(dimensions: CMVideoDimensions, depth: Int, name: String) {
            self.dimensions = dimensions
            self.depth = depth
            self.name = name
        }
    }

    /// The fields of audio.
    package struct Audio: Sendable {
        /// The number of channels.
        package var channelCount: Int
        /// The bits per sample of one channel.
        package var bitsPerChannel: Int
        /// The sample rate in hertz; 0 if the entry does not contain it.
        package var sampleRate: Double
        /// The Core Audio format flags (`kAudioFormatFlag…`) in version 2 of QuickTime's entry; nil in other versions.
        package var linearFlags: UInt32?
        /// The number of frames in a packet of QuickTime's compressed formats; 0 if unknown.
        package var framesPerPacket: Int
        /// The number of bytes in a packet of QuickTime's compressed formats, for all channels; 0 if unknown.
        package var bytesPerPacket = 0

        package init(
            channelCount: Int, bitsPerChannel: Int, sampleRate: Double, linearFlags: UInt32? = nil,
            framesPerPacket: Int, bytesPerPacket: Int = 0
        ) {
            self.channelCount = channelCount
            self.bitsPerChannel = bitsPerChannel
            self.sampleRate = sampleRate
            self.linearFlags = linearFlags
            self.framesPerPacket = framesPerPacket
            self.bytesPerPacket = bytesPerPacket
        }
    }

    /// The four-character code of the format.
    package var code: String
    /// The number of the data reference, from 1: the file with the samples.
    package private(set) var dataReference = 1
    /// The fields that depend on the media type.
    package var content: Content
    /// The contents of the nested boxes by type, including `wave` and those of boxes in it.
    package var atoms: [String: Data]
    /// The bytes of the whole box; empty if the entry was not read from a movie.
    package var bytes: Data
    /// The size of the whole box in bytes.
    package var byteCount: Int { bytes.count }

    /// Whether the samples are encrypted (ISO/IEC 14496-12, 8.12; `drms` and `drmi` are those of FairPlay).
    package var isProtected: Bool {
        ["encv", "enca", "enct", "encs", "drms", "drmi"].contains(code) || atoms["sinf"] != nil
    }

    /// Why the samples cannot be decoded, after the name of the track or file; nil if they are not encrypted.
    package var protection: String? { isProtected ? "is protected: it is encrypted (\(code))" : nil }

    /// Whether each sample is one frame of linear PCM.
    package var isLinearPCM: Bool { LinearFormat(self) != nil }

    /// Whether each sample is one frame of linear, µ-law or A-law PCM, so that adjacent samples can be one run.
    ///
    /// Samples of other codecs are packets, which are decoded one at a time even if all have the same size.
    package var isPCM: Bool { isLinearPCM || code == "ulaw" || code == "alaw" }

    /// Creates an entry that was not read from a movie.
    package init(code: String, content: Content, atoms: [String: Data]) {
        self.code = code
        self.content = content
        self.atoms = atoms
        bytes = Data()
    }

    /// Parses an entry.
    ///
    /// - Parameter handler: The track's media type.
    package init(_ box: MemoryBox, handler: String) throws(ByteReader.UnexpectedEnd) {
        code = box.type
        bytes = box.bytes
        var body = box.body
        try body.skip(6)
        dataReference = Int(try body.unsigned16())
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

    /// Creates an entry of a box whose contents are invalid.
    package init(unparsed box: MemoryBox) {
        var body = box.body
        self.init(code: box.type, content: .other(body.rest()), atoms: [:])
        bytes = box.bytes
    }

    /// Parses QTFF, "Sound Sample Description", versions 0 to 2; version 0 is ISO's `AudioSampleEntry`.
    private static func audio(_ body: inout ByteReader) throws(ByteReader.UnexpectedEnd) -> Audio {
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
            // The number of bytes in a packet of one channel.
            try body.skip(4)
            audio.bytesPerPacket = Int(try body.unsigned32())
            // The number of bytes in a decoded sample.
            try body.skip(4)
        } else if version == 2 {
            try body.skip(4)
            audio.sampleRate = try body.float64()
            audio.channelCount = Int(try body.unsigned32())
            try body.skip(4)
            audio.bitsPerChannel = Int(try body.unsigned32())
            audio.linearFlags = try body.unsigned32()
            audio.bytesPerPacket = Int(try body.unsigned32())
            audio.framesPerPacket = Int(try body.unsigned32())
        }
        return audio
    }

    /// Adds the contents of boxes to `atoms`.
    ///
    /// - Parameter opensWave: Whether to also add the boxes in a `wave` box.
    private mutating func collectAtoms(_ body: ByteReader, opensWave: Bool = true) {
        for box in body.boxes() {
            var reader = box.body
            if box.type == "wave", opensWave { collectAtoms(reader, opensWave: false) }
            if atoms[box.type] == nil { atoms[box.type] = reader.rest() }
        }
    }
}

/// The layout of linear PCM samples.
package struct LinearFormat: Equatable {
    package var bitsPerChannel: Int
    package var isFloat: Bool
    package var isBigEndian: Bool
    package var isSigned: Bool

    /// Creates the layout of an entry; nil if the entry is not linear PCM.
    package init?(_ entry: SampleEntry) {
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
