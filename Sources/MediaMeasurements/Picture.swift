package import Foundation
import MediaCodecs
import MediaFiles
package import MediaTypes
package import PixelKernels
import ThreeA

/// An upright photo or frame, for measurements.
package struct Picture: @unchecked Sendable {
    // SAFETY: the pixels are not written after initialization.

    /// The pixels in the format 32BGRA.
    package let pixels: CVPixelBuffer
    /// The metadata of a photo; nil for a frame or if there is none.
    var exif: EXIF?

    /// An error in reading a picture.
    package struct ReadingError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Creates a picture from pixels in any format.
    ///
    /// - Parameter transform: The rotation and mirroring after which the pixels are upright.
    package init(_ pixels: CVPixelBuffer, _ transform: PixelTransform = .identity) throws {
        self.pixels = try Self.upright(pixels, transform)
    }

    /// Decodes a photo: a JPEG, PNG or HEIF file, or the processed image in a DNG file.
    package init(photo url: URL) throws { try self.init(photo: Data(contentsOf: url)) }

    /// Decodes the contents of a photo file.
    package init(photo data: Data) throws {
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            pixels = try PNGCodec().decode(data)
            return
        }
        let decoded: CVPixelBuffer
        if let file = PhotoFile(data), file.format != .jpeg {
            decoded = try file.decoded().opaquePixels()
            exif = file.metadata
        } else {
            decoded = try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
            exif = try JPEGSegments(data).exif()
        }
        // The decoder of HEIF files applies the orientation.
        let orientation = exif?.orientation ?? .up
        pixels = try Self.upright(
            decoded, PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored))
    }

    /// Decodes the frame of a movie that is shown at a time in seconds.
    package init(movie url: URL, at time: Double) throws {
        let reader = try MediaFileReader(path: url.path)
        guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
            throw ReadingError(description: "\(url.lastPathComponent) has no video")
        }
        reader.select([track.index])
        let decoder = try VideoDecoder(reader: reader, track: track)
        guard let shown = try Self.frame(at: time, reader, decoder) else {
            throw ReadingError(description: "\(url.lastPathComponent) has no frame")
        }
        pixels = try Self.render(shown, decoder, PixelTransform(rotation: video.rotation))
    }

    /// Decodes the frames of a movie that are shown at times in seconds, which must be in ascending order.
    package static func frames(of url: URL, at times: [Double]) throws -> [CVPixelBuffer] {
        let reader = try MediaFileReader(path: url.path)
        guard let track = reader.tracks.first(where: \.isVideo), case .video(let video) = track.content else {
            throw ReadingError(description: "\(url.lastPathComponent) has no video")
        }
        reader.select([track.index])
        let decoder = try VideoDecoder(reader: reader, track: track)
        var frames: [CVPixelBuffer] = []
        var shown: VideoDecoder.Frame?
        func appendShownFrame(before time: Double) throws {
            while let shown, frames.count < times.count, times[frames.count] + timeTolerance < time {
                frames.append(try render(shown, decoder, PixelTransform(rotation: video.rotation)))
            }
        }
        var isAtEnd = false
        while !isAtEnd, frames.count < times.count {
            var packet: MediaPacket?
            switch try reader.next() {
            case .packet(let next): packet = next
            case .damaged: continue
            case .end: isAtEnd = true
            }
            for frame in try decoder.decode(packet).frames {
                try appendShownFrame(before: frame.time.seconds)
                shown = frame
            }
        }
        try appendShownFrame(before: .infinity)
        return frames
    }

    /// The tolerance in seconds for frame times, which are rounded to the time scale of the movie.
    private static let timeTolerance = 0.0005

    private static func render(
        _ frame: VideoDecoder.Frame, _ decoder: VideoDecoder, _ transform: PixelTransform
    ) throws -> CVPixelBuffer {
        guard let decoded = CVPixelBuffer(width: frame.width, height: frame.height, pixelFormat: decoder.pixelFormat)
        else { throw ReadingError(description: "there is not enough memory for a frame") }
        try decoder.render(frame, into: decoded)
        return try upright(decoded, transform)
    }

    /// Returns the last frame that begins at or before a time, or the first frame if all begin later; nil if the movie
    /// has no frames.
    private static func frame(
        at time: Double, _ reader: MediaFileReader, _ decoder: VideoDecoder
    ) throws -> VideoDecoder.Frame? {
        var shown: VideoDecoder.Frame?
        var isAtEnd = false
        while !isAtEnd {
            var packet: MediaPacket?
            switch try reader.next() {
            case .packet(let next): packet = next
            case .damaged: continue
            case .end: isAtEnd = true
            }
            for frame in try decoder.decode(packet).frames {
                if shown != nil, frame.time.seconds > time + timeTolerance { return shown }
                shown = frame
            }
        }
        return shown
    }

    private static func upright(_ pixels: CVPixelBuffer, _ transform: PixelTransform) throws -> CVPixelBuffer {
        let isSwapped = transform.rotation.swapsWidthAndHeight
        return try convert(
            pixels, width: isSwapped ? pixels.height : pixels.width, height: isSwapped ? pixels.width : pixels.height,
            kCVPixelFormatType_32BGRA, transform)
    }

    private static func convert(
        _ pixels: CVPixelBuffer, width: Int, height: Int, _ format: OSType, _ transform: PixelTransform = .identity
    ) throws -> CVPixelBuffer {
        guard let result = CVPixelBuffer(width: width, height: height, pixelFormat: format) else {
            throw ReadingError(description: "there is not enough memory for \(width)x\(height) pixels")
        }
        try PixelConverter().convert(pixels, to: result, transform)
        return result
    }

    // MARK: Measurements

    /// The mean color of a region, 0 … 1 for red, green and blue in sRGB.
    ///
    /// - Parameter region: x, y, width and height, from 0 to 1; nil for the entire picture.
    func meanColor(in region: [Double]?) -> (red: Double, green: Double, blue: Double) {
        let region = region ?? [0, 0, 1, 1]
        let left = min(Int(region[0] * Double(pixels.width)), pixels.width - 1)
        let top = min(Int(region[1] * Double(pixels.height)), pixels.height - 1)
        let right = min(pixels.width, max(left + 1, Int((region[0] + region[2]) * Double(pixels.width))))
        let bottom = min(pixels.height, max(top + 1, Int((region[1] + region[3]) * Double(pixels.height))))
        // At most about 250 rows and columns are read.
        let step = (x: max(1, (right - left) / 250), y: max(1, (bottom - top) / 250))
        var sums = (red: 0, green: 0, blue: 0)
        var count = 0
        pixels.withPlane(0) { plane in
            let bytes = plane.baseAddress.assumingMemoryBound(to: UInt8.self)
            for y in stride(from: top, to: bottom, by: step.y) {
                for x in stride(from: left, to: right, by: step.x) {
                    let pixel = bytes + y * plane.bytesPerRow + 4 * x
                    sums.blue += Int(pixel[0])
                    sums.green += Int(pixel[1])
                    sums.red += Int(pixel[2])
                    count += 1
                }
            }
        }
        let scale = 255 * Double(max(1, count))
        return (Double(sums.red) / scale, Double(sums.green) / scale, Double(sums.blue) / scale)
    }

    /// The contrast of details in the central half of the width and height: the mean squared gradient relative to the
    /// squared brightness. For the same scene, a sharper picture has a larger value.
    func sharpness() throws -> Double {
        let planar = try Self.convert(
            pixels, width: pixels.width, height: pixels.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        var statistics = FrameStatistics()
        let window = MeteringRegion(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        _ = FrameMeter().measure(planar, color: false, focus: window, into: &statistics)
        return statistics.contrast ?? 0
    }

    /// The texts of the codes in the picture, in reading order.
    func codes() throws -> [String] {
        guard let reader = BarcodeReader() else {
            throw ReadingError(description: "codes cannot be read: zbar is not installed")
        }
        return reader.read(try luma(), width: pixels.width, height: pixels.height).compactMap(\.text)
    }

    /// The number of faces in the picture.
    ///
    /// - Throws: `ReadingError` if the face detector is not installed.
    func faceCount() throws -> Int {
        guard let detector = FaceDetector() else {
            let reason = FaceDetector.unavailabilityReason ?? "memory ran out"
            throw ReadingError(description: "faces cannot be found: \(reason); see docs/detectors.md")
        }
        return try luma().withUnsafeBytes { gray in
            guard let base = gray.baseAddress else { return 0 }
            return detector.faces(in: base, width: pixels.width, height: pixels.height, bytesPerRow: pixels.width).count
        }
    }

    /// The luma of each pixel, row by row.
    func luma() throws -> [UInt8] {
        let planar = try Self.convert(
            pixels, width: pixels.width, height: pixels.height, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        return [UInt8](unsafeUninitializedCapacity: pixels.width * pixels.height) { bytes, count in
            planar.withPlane(0) { plane in
                for row in 0..<pixels.height {
                    UnsafeMutableRawBufferPointer(bytes)[(row * pixels.width)..<((row + 1) * pixels.width)].copyBytes(
                        from: UnsafeRawBufferPointer(
                            start: plane.baseAddress + row * plane.bytesPerRow, count: pixels.width))
                }
            }
            count = pixels.width * pixels.height
        }
    }

    /// The peak signal-to-noise ratio of red, green and blue to a picture of the same size in dB; infinite if they are
    /// equal.
    func peakSignalToNoiseRatio(to other: Picture) -> Double {
        var sum: UInt64 = 0
        pixels.withPlane(0) { first in
            other.pixels.withPlane(0) { second in
                let a = first.baseAddress.assumingMemoryBound(to: UInt8.self)
                let b = second.baseAddress.assumingMemoryBound(to: UInt8.self)
                for y in 0..<pixels.height {
                    let (rowA, rowB) = (a + y * first.bytesPerRow, b + y * second.bytesPerRow)
                    for x in 0..<4 * pixels.width where x % 4 != 3 {
                        let difference = Int(rowA[x]) - Int(rowB[x])
                        sum += UInt64(difference * difference)
                    }
                }
            }
        }
        guard sum > 0 else { return .infinity }
        let meanSquare = Double(sum) / Double(3 * pixels.width * pixels.height)
        return 10 * Foundation.log10(255.0 * 255.0 / meanSquare)
    }

    /// The structural similarity of luma to a picture of the same size, in blocks of 8 by 8 pixels; 1 if they are equal
    /// (Z. Wang et al.: "Image quality assessment", IEEE Trans. Image Processing 13 (2004), equation 13).
    func structuralSimilarity(to other: Picture) throws -> Double {
        let (first, second) = (try luma(), try other.luma())
        // The constants of the paper: the squares of 1 % and 3 % of the largest value, 255.
        let (c1, c2) = (2.55 * 2.55, 7.65 * 7.65)
        var sum = 0.0
        var count = 0
        for top in stride(from: 0, to: pixels.height, by: 8) {
            for left in stride(from: 0, to: pixels.width, by: 8) {
                var (sumA, sumB, squareA, squareB, product, samples) = (0, 0, 0, 0, 0, 0)
                for y in top..<min(top + 8, pixels.height) {
                    for x in left..<min(left + 8, pixels.width) {
                        let (a, b) = (Int(first[y * pixels.width + x]), Int(second[y * pixels.width + x]))
                        sumA += a
                        sumB += b
                        squareA += a * a
                        squareB += b * b
                        product += a * b
                        samples += 1
                    }
                }
                let n = Double(samples)
                let (meanA, meanB) = (Double(sumA) / n, Double(sumB) / n)
                let (varianceA, varianceB) = (
                    Double(squareA) / n - meanA * meanA, Double(squareB) / n - meanB * meanB
                )
                let covariance = Double(product) / n - meanA * meanB
                sum +=
                    (2 * meanA * meanB + c1) * (2 * covariance + c2)
                    / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
                count += 1
            }
        }
        return sum / Double(max(1, count))
    }
}
