import Foundation
import MediaTypes

extension LivePhotoMovie {
    /// Compresses the frames again with another codec. Frames before `start` are removed.
    ///
    /// - Throws: `.encoding`; the movie is not changed.
    package mutating func transcode(to codec: VideoSampleFormat.Codec) throws(MovieError) {
        guard codec != format.codec else { return }
        var settings = VideoEncoderSettings(codec: codec, dimensions: format.dimensions)
        if let color = format.color { settings.color = color }
        settings.expectedFrameDuration = frameDuration
        do throws(EncodingError) {
            let encoder = try VideoEncoder(settings)
            let decoder = try LivePhotoDecoder(format, frameDuration)
            var result: [EncodedSample] = []
            for frame in frames {
                for (pixels, time) in try decoder.decode(frame) where time >= start {
                    result += try encoder.encode(pixels, at: time, duration: frameDuration)
                }
            }
            for (pixels, time) in try decoder.finish() where time >= start {
                result += try encoder.encode(pixels, at: time, duration: frameDuration)
            }
            result += try encoder.finish()
            (format, frames) = (encoder.format, result)
        } catch {
            throw MovieError(error)
        }
    }
}

/// Decodes the frames of a Live Photo's movie to pixel buffers.
private final class LivePhotoDecoder {
    private let track: MediaTrack
    private let decoder: VideoDecoder
    private let pool: CVPixelBufferPool
    /// The times of the frames in the decoder, by number.
    private var times: [CMTime] = []

    init(_ format: VideoSampleFormat, _ frameDuration: CMTime) throws(EncodingError) {
        do {
            let description = try MovieSampleFormat.video(format).makeDescription()
            guard let configuration = DecoderConfiguration(description) else {
                throw EncodingError(.codecUnavailable, "there is no decoder for \(format.codec.name)")
            }
            track = MediaTrack(
                index: 0,
                content: .video(
                    MediaTrack.Video(
                        dimensions: format.dimensions, rotation: .none,
                        isFullRange: format.color?.isFullRange ?? false, frameDuration: frameDuration)),
                codecName: configuration.name, startTime: .zero, duration: .invalid,
                timeBase: MediaTimeBase(numerator: 1, denominator: 1))
            decoder = try VideoDecoder(configuration, track: track, path: "a Live Photo")
        } catch let error as EncodingError {
            throw error
        } catch {
            throw EncodingError(.codecFailed, "\(error)")
        }
        pool = CVPixelBufferPool(
            width: Int(format.dimensions.width), height: Int(format.dimensions.height),
            pixelFormat: decoder.pixelFormat, maximumBufferCount: 64, name: "of a Live Photo's frames")
    }

    func decode(_ frame: EncodedSample) throws(EncodingError) -> [(CVPixelBuffer, CMTime)] {
        let number = Int64(times.count)
        times.append(frame.presentationTime)
        let packet = frame.data.withUnsafeBytes { bytes in
            MediaPacket(
                bytes, track: track, presentation: number, decode: number, duration: 1, isKeyFrame: frame.isKeyFrame)
        }
        guard let packet else { throw EncodingError(.codecFailed, "memory ran out while decoding a Live Photo") }
        return try render(packet)
    }

    /// Returns the remaining frames.
    func finish() throws(EncodingError) -> [(CVPixelBuffer, CMTime)] { try render(nil) }

    private func render(_ packet: MediaPacket?) throws(EncodingError) -> [(CVPixelBuffer, CMTime)] {
        do {
            let output = try decoder.decode(packet)
            if let message = output.errorMessage { throw EncodingError(.codecFailed, message) }
            return try output.frames.map { frame in
                guard let pixels = pool.makeBuffer() else {
                    throw EncodingError(.codecFailed, "memory ran out while decoding a Live Photo")
                }
                try decoder.render(frame, into: pixels)
                return (pixels, times[Int(frame.time.value)])
            }
        } catch let error as EncodingError {
            throw error
        } catch {
            throw EncodingError(.codecFailed, "\(error)")
        }
    }
}
