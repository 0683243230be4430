import CPixelKernels
package import Foundation
package import MediaTypes

/// The samples of a sensor with color filters: red and green in even rows, green and blue in odd ones.
package struct BayerMosaic {
    private let samples: CVPixelBuffer
    private let blackLevel: Int
    private let whiteLevel: Int

    /// Wraps a buffer.
    ///
    /// - Parameters:
    ///   - samples: In `kCVPixelFormatType_14Bayer_RGGB`, at least 4x4.
    ///   - blackLevel: The sample without light.
    ///   - whiteLevel: The sample at saturation.
    /// - Throws: `.unsupportedFormat` for another format, `.invalidGeometry` for a smaller buffer.
    package init(_ samples: CVPixelBuffer, blackLevel: Int, whiteLevel: Int) throws(ImageError) {
        guard samples.pixelFormat == kCVPixelFormatType_14Bayer_RGGB else {
            throw ImageError(
                .unsupportedFormat, "a buffer of pixel format \(fourCharacterText(samples.pixelFormat)) is not rgg4")
        }
        guard min(samples.width, samples.height) >= 4 else {
            throw ImageError(.invalidGeometry, "a mosaic of \(samples.width)x\(samples.height) is too small")
        }
        self.samples = samples
        self.blackLevel = blackLevel
        self.whiteLevel = whiteLevel
    }

    /// The samples as little-endian words, by rows without padding.
    package var data: Data {
        samples.withPlane(0) { plane in
            var data = Data(capacity: samples.width * samples.height * 2)
            for row in 0..<samples.height {
                data.append(
                    plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow,
                    count: samples.width * 2)
            }
            return data
        }
    }

    /// Returns red, green and blue of each pixel as little-endian words, from 0 for black to the difference of the two
    /// levels.
    package func interpolatedData() -> Data {
        let rowByteCount = samples.width * 6
        var data = Data(count: rowByteCount * samples.height)
        data.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            interpolate(base, bytesPerRow: rowByteCount, samplesPerPixel: 3)
        }
        return data
    }

    /// Returns the same as a buffer in `kCVPixelFormatType_64RGBALE`.
    ///
    /// - Throws: `.outOfMemory`.
    package func interpolatedBuffer() throws(ImageError) -> CVPixelBuffer {
        guard
            let result = CVPixelBuffer(
                width: samples.width, height: samples.height, pixelFormat: kCVPixelFormatType_64RGBALE)
        else {
            throw ImageError(.outOfMemory, "an image of \(samples.width)x\(samples.height) cannot be allocated")
        }
        result.withPlane(0) { interpolate($0.baseAddress, bytesPerRow: $0.bytesPerRow, samplesPerPixel: 4) }
        return result
    }

    private func interpolate(_ target: UnsafeMutableRawPointer, bytesPerRow: Int, samplesPerPixel: Int32) {
        samples.withPlane(0) { plane in
            var mosaic = cpixel_mosaic()
            mosaic.samples = UnsafePointer(plane.baseAddress.assumingMemoryBound(to: UInt16.self))
            mosaic.stride = plane.bytesPerRow
            (mosaic.width, mosaic.height) = (Int32(samples.width), Int32(samples.height))
            (mosaic.black, mosaic.white) = (Int32(blackLevel), Int32(whiteLevel))
            cpixel_demosaic(&mosaic, target.assumingMemoryBound(to: UInt16.self), bytesPerRow, samplesPerPixel)
        }
    }
}
