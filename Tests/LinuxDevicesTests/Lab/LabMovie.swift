import CaptureHAL
import MediaCodecs
import MediaTypes

/// A movie, decoded.
struct LabMovie {
    /// In the order of presentation, from the movie's begin.
    private(set) var pictures: [(time: CMTime, picture: VividPicture)] = []
    /// The left channel, −1 … 1, from the movie's begin.
    private(set) var sound: [Float] = []
    private(set) var soundRate = 0.0
    private var channelCount = 1
    /// What the decoders complained of.
    private(set) var damage: [String] = []

    init(path: String) throws {
        let reader = try MediaFileReader(path: path)
        var video: [Int: VideoDecoder] = [:]
        var audio: [Int: AudioDecoder] = [:]
        for track in reader.tracks {
            switch track.content {
            case .video: video[track.index] = try VideoDecoder(reader: reader, track: track)
            case .audio(let format):
                soundRate = Double(format.sampleRate)
                channelCount = format.channelCount
                audio[track.index] = try AudioDecoder(reader: reader, track: track, sample: .float32)
            }
        }
        var hasMore = true
        while hasMore {
            switch try reader.next() {
            case .packet(let packet):
                if let decoder = video[packet.trackIndex] { try take(decoder.decode(packet), decoder) }
                if let decoder = audio[packet.trackIndex] { take(try decoder.decode(packet)) }
            case .damaged(let complaint): damage.append(complaint)
            case .end: hasMore = false
            }
        }
        for decoder in video.values { try take(decoder.decode(nil), decoder) }
        for decoder in audio.values { take(try decoder.decode(nil)) }
    }

    private mutating func take(_ output: VideoDecoder.Output, _ decoder: VideoDecoder) throws {
        if let complaint = output.damage { damage.append(complaint) }
        for frame in output.frames {
            guard
                let pixels = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: decoder.pixelFormat)
            else { throw MovieNotReadable() }
            try decoder.render(frame, into: pixels)
            pictures.append((frame.time, VividPicture(pixels)))
        }
    }

    private mutating func take(_ output: AudioDecoder.Output) {
        if let complaint = output.damage { damage.append(complaint) }
        for chunk in output.chunks {
            chunk.bytes.withUnsafeBytes { bytes in
                for frame in 0..<chunk.frameCount {
                    sound.append(bytes.loadUnaligned(fromByteOffset: frame * 4 * channelCount, as: Float.self))
                }
            }
        }
    }

    private struct MovieNotReadable: Error {}

    /// The share of the sound's energy that lies at a frequency (Goertzel's algorithm), over a span in seconds.
    func share(of hertz: Double, from begin: Double, to end: Double) -> Double {
        let range = Int(begin * soundRate)..<min(sound.count, Int(end * soundRate))
        let factor = 2 * cosine(2 * .pi * hertz / soundRate)
        var (last, before, energy) = (0.0, 0.0, 0.0)
        for index in range {
            let value = Double(sound[index])
            (last, before) = (value + factor * last - before, last)
            energy += value * value
        }
        guard energy > 0 else { return 0 }
        return 2 * (last * last + before * before - factor * last * before) / (energy * Double(range.count))
    }

    /// The first moment at which the sound is loud, in seconds.
    var onset: Double? { sound.firstIndex { abs($0) > 0.1 }.map { Double($0) / soundRate } }
}
