import CaptureHAL
import Foundation
import MediaCodecs
import MediaFiles
import MediaTypes

/// The decoded frames and audio samples of a movie.
struct LabMovie {
    /// The video frames with their times from the start of the movie, in presentation order.
    private(set) var frames: [(time: CMTime, frame: VividFrame)] = []
    /// The samples of the left channel, −1 … 1, from the start of the movie.
    private(set) var samples: [Float] = []
    /// In hertz.
    private(set) var sampleRate = 0.0
    private var channelCount = 1
    /// The error messages of the reader and the decoders.
    private(set) var errors: [String] = []

    init(path: String) throws {
        let reader = try MediaFileReader(path: path)
        var video: [Int: VideoDecoder] = [:]
        var audio: [Int: AudioDecoder] = [:]
        for track in reader.tracks {
            switch track.content {
            case .video: video[track.index] = try VideoDecoder(reader: reader, track: track)
            case .audio(let format):
                sampleRate = Double(format.sampleRate)
                channelCount = format.channelCount
                audio[track.index] = try AudioDecoder(reader: reader, track: track, sample: .float32)
            }
        }
        var hasMore = true
        while hasMore {
            switch try reader.next() {
            case .packet(let packet):
                if let decoder = video[packet.trackIndex] { try append(decoder.decode(packet), decoder) }
                if let decoder = audio[packet.trackIndex] { append(try decoder.decode(packet)) }
            case .damaged(let message): errors.append(message)
            case .end: hasMore = false
            }
        }
        for decoder in video.values { try append(decoder.decode(nil), decoder) }
        for decoder in audio.values { append(try decoder.decode(nil)) }
    }

    private mutating func append(_ output: VideoDecoder.Output, _ decoder: VideoDecoder) throws {
        if let message = output.errorMessage { errors.append(message) }
        for frame in output.frames {
            guard
                let pixelBuffer = CVPixelBuffer(
                    width: frame.width, height: frame.height, pixelFormat: decoder.pixelFormat)
            else { throw UnsupportedFrame() }
            try decoder.render(frame, into: pixelBuffer)
            frames.append((frame.time, VividFrame(pixelBuffer)))
        }
    }

    private mutating func append(_ output: AudioDecoder.Output) {
        if let message = output.errorMessage { errors.append(message) }
        for chunk in output.chunks {
            chunk.bytes.withUnsafeBytes { bytes in
                for frame in 0..<chunk.frameCount {
                    samples.append(bytes.loadUnaligned(fromByteOffset: frame * 4 * channelCount, as: Float.self))
                }
            }
        }
    }

    private struct UnsupportedFrame: Error {}

    /// Returns the fraction of the audio's energy at a frequency (Goertzel's algorithm), between two times in seconds.
    func energyFraction(at hertz: Double, from start: Double, to end: Double) -> Double {
        let range = Int(start * sampleRate)..<min(samples.count, Int(end * sampleRate))
        let angle = 2 * Double.pi * hertz / sampleRate
        let coefficient = 2 * cos(angle)
        var (last, secondLast, energy) = (0.0, 0.0, 0.0)
        for index in range {
            let value = Double(samples[index])
            (last, secondLast) = (value + coefficient * last - secondLast, last)
            energy += value * value
        }
        guard energy > 0 else { return 0 }
        return 2 * (last * last + secondLast * secondLast - coefficient * last * secondLast)
            / (energy * Double(range.count))
    }

    /// Returns the seconds of silence between two times: the blocks of 5 ms without a sample above 0.02.
    ///
    /// A shorter block at the end counts as a whole block.
    func silence(from start: Double, to end: Double) -> Double {
        let blockDuration = 0.005
        let length = Int(sampleRate * blockDuration)
        let range = Int(start * sampleRate)..<min(samples.count, Int(end * sampleRate))
        let silent = stride(from: range.lowerBound, to: range.upperBound, by: length).filter { index in
            samples[index..<min(index + length, range.upperBound)].allSatisfy { abs($0) <= 0.02 }
        }
        return Double(silent.count) * blockDuration
    }

    /// The time in seconds of the first sample with an amplitude above 0.1; nil if there is none.
    var onset: Double? { samples.firstIndex { abs($0) > 0.1 }.map { Double($0) / sampleRate } }
}
