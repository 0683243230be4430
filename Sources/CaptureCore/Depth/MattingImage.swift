import AssetTypes
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The pixels of a matte: one byte per pixel, from 0 (outside) to 255 (inside).
struct MattingImage: @unchecked Sendable {
    // SAFETY: the pixels are never modified.
    let pixels: CVPixelBuffer

    /// Wraps a buffer.
    ///
    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    init(_ pixels: CVPixelBuffer) throws(AVError) {
        let type = CVPixelBufferGetPixelFormatType(pixels)
        guard type == kCVPixelFormatType_OneComponent8 else {
            throw AVError(
                .malformedDepth, "a buffer of pixel format \(fourCharacterText(type)) is not a matte: use L008")
        }
        self.pixels = pixels
    }

    /// Wraps a buffer of format `kCVPixelFormatType_OneComponent8`, without a check.
    private init(unchecked pixels: CVPixelBuffer) { self.pixels = pixels }

    /// Reads auxiliary image data.
    ///
    /// - Throws: `AVError.malformedDepth`; its message names the missing or invalid entry.
    init(_ dictionary: [AnyHashable: Any]) throws(AVError) {
        func malformed(_ reason: String) -> AVError { AVError(.malformedDepth, "the matte is malformed: \(reason)") }
        guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data else {
            throw malformed("there is no data under \(kCGImageAuxiliaryDataInfoData)")
        }
        guard let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any] else {
            throw malformed("there is no dictionary under \(kCGImageAuxiliaryDataInfoDataDescription)")
        }
        func number(_ key: String) throws(AVError) -> Int {
            guard let number = (description[key] as? any BinaryInteger).flatMap({ Int(exactly: $0) }), number > 0 else {
                throw malformed("\(key) is missing or not an integer above 0")
            }
            return number
        }
        let (width, height, bytesPerRow) = (try number("Width"), try number("Height"), try number("BytesPerRow"))
        guard try number("PixelFormat") == Int(kCVPixelFormatType_OneComponent8) else {
            throw malformed("PixelFormat must be L008")
        }
        let lastRowOffset = bytesPerRow.multipliedReportingOverflow(by: height - 1)
        guard width <= bytesPerRow, !lastRowOffset.overflow, data.count - width >= lastRowOffset.partialValue else {
            throw malformed("\(data.count) bytes are too few for \(width)x\(height) in rows of \(bytesPerRow)")
        }
        guard let pixels = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { throw malformed("a matte of \(width)x\(height) cannot be allocated") }
        data.withUnsafeBytes { bytes in
            pixels.withPlane(0) { plane in
                for row in 0..<height {
                    UnsafeMutableRawBufferPointer(
                        start: plane.baseAddress + row * plane.bytesPerRow, count: width
                    ).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + width]))
                }
            }
        }
        self.pixels = pixels
    }

    /// The matte as auxiliary image data. Rows have no padding.
    var dictionary: [AnyHashable: Any] {
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        var data = Data(capacity: width * height)
        pixels.withPlane(0) { plane in
            for row in 0..<height {
                data.append(
                    plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow, count: width)
            }
        }
        let description: [String: Any] = [
            "Width": width, "Height": height, "BytesPerRow": width,
            "PixelFormat": Int(kCVPixelFormatType_OneComponent8),
        ]
        return [kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description]
    }

    /// Returns the matte aligned to the image after an orientation is applied to it; the same matte if out of memory.
    func applying(_ orientation: CGImagePropertyOrientation) -> MattingImage {
        let transform = PixelTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
        let size = transform.naturalSize(
            width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
        guard orientation != .up,
            let target = CVPixelBuffer(
                width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { return self }
        do throws(ImageError) {
            try PixelConverter().convert(pixels, to: target, transform)
            return MattingImage(unchecked: target)
        } catch {
            return self
        }
    }
}
