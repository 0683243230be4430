package import Foundation
import MediaCodecs
import MediaFiles
package import MediaTypes
package import PixelKernels
package import SimDevices
import XCTest

/// The decoded contents of a movie.
package struct DecodedMovie {
    /// A decoded frame. The marker is nil if it cannot be read.
    package struct Frame {
        package let time: CMTime
        package let width: Int
        package let height: Int
        package let marker: FrameMarker?
    }

    package var frames: [Frame] = []
    /// The samples of the first channel, without the encoder's padding.
    package var audioSamples: [Float] = []
    /// The presentation time of the first audio sample; invalid without audio.
    package var audioStart = CMTime.invalid
    package var sampleRate = 0.0
    package var rotation = PixelRotation.none
    package var videoCodec: String?
    package var audioCodec: String?
    package var formatName: String

    /// Decodes a movie.
    package init(_ url: URL) throws {
        let reader = try MediaFileReader(path: url.path)
        formatName = reader.formatName
        var video: VideoDecoder?
        var audio: AudioDecoder?
        for track in reader.tracks {
            switch track.content {
            case .video(let content):
                video = try VideoDecoder(reader: reader, track: track)
                rotation = content.rotation
                videoCodec = track.codecName
            case .audio(let content):
                audio = try AudioDecoder(reader: reader, track: track, sample: .float32)
                sampleRate = Double(content.sampleRate)
                audioCodec = track.codecName
            }
        }
        reading: while true {
            switch try reader.next() {
            case .packet(let packet):
                if packet.trackIndex == video?.track.index { try append(video?.decode(packet), video) }
                if packet.trackIndex == audio?.track.index { try append(audio?.decode(packet)) }
            case .damaged(let message): throw ReadError(message: message)
            case .end: break reading
            }
        }
        try append(video?.decode(nil), video)
        try append(audio?.decode(nil))
    }

    /// An error of the reader or of a decoder.
    package struct ReadError: Error {
        package let message: String
    }

    /// The frame numbers in the markers; nil for unreadable markers.
    package var counters: [UInt32?] { frames.map { $0.marker?.counter } }

    /// The duration of the audio in seconds; 0 without audio.
    package var audioDuration: Double { sampleRate > 0 ? Double(audioSamples.count) / sampleRate : 0 }

    /// Returns the delay of the audio relative to the video in nanoseconds, from the first frame's marker and the tone.
    ///
    /// - Parameter frequency: The frequency of the tone in the first channel, in Hz.
    package func audioOffsetNanoseconds(frequency: Double = 1000) throws -> Double {
        let first = try XCTUnwrap(frames.first)
        let marker = try XCTUnwrap(first.marker)
        // The device time that corresponds to zero in the movie's timeline.
        let origin = marker.time - first.time
        // The first 0.1 s is not measured.
        let skippedCount = Int(sampleRate / 10)
        let part = Array(audioSamples[skippedCount..<min(audioSamples.count, skippedCount + Int(sampleRate / 2))])
        let start = origin + audioStart + CMTime(value: Int64(skippedCount), timescale: Int32(sampleRate))
        let reading = try XCTUnwrap(
            ToneProbe(frequency: frequency).measure(part, sampleRate: sampleRate, startTime: start))
        return reading.offsetNanoseconds
    }

    private mutating func append(_ output: VideoDecoder.Output?, _ decoder: VideoDecoder?) throws {
        guard let output, let decoder else { return }
        if let message = output.errorMessage { throw ReadError(message: message) }
        for frame in output.frames {
            let pixels = try XCTUnwrap(
                CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: decoder.pixelFormat))
            try decoder.render(frame, into: pixels)
            frames.append(
                Frame(
                    time: frame.time, width: frame.width, height: frame.height, marker: FrameMarker.read(from: pixels)))
        }
    }

    private mutating func append(_ output: AudioDecoder.Output?) throws {
        guard let output else { return }
        if let message = output.errorMessage { throw ReadError(message: message) }
        for chunk in output.chunks {
            if !audioStart.isValid { audioStart = chunk.time }
            let channels = chunk.bytes.count / 4 / max(1, chunk.frameCount)
            chunk.bytes.withUnsafeBytes { bytes in
                for index in 0..<chunk.frameCount {
                    audioSamples.append(bytes.loadUnaligned(fromByteOffset: 4 * index * channels, as: Float.self))
                }
            }
        }
    }
}
