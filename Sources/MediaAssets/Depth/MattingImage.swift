import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

/// The image of a matte: 8 bits per pixel, 255 for the foreground.
struct MattingImage: @unchecked Sendable {
    // SAFETY: the buffer is not changed after the matte was created.
    let pixels: CVPixelBuffer

    /// - Throws: `AVError.malformedDepth` if the pixel format is not `kCVPixelFormatType_OneComponent8`.
    init(_ pixels: CVPixelBuffer) throws(AVError) {
        guard CVPixelBufferGetPixelFormatType(pixels) == kCVPixelFormatType_OneComponent8 else {
            throw AVError(
                .malformedDepth,
                "a buffer of pixel format \(fourCharacterText(CVPixelBufferGetPixelFormatType(pixels))) is not a matte: "
                    + "use L008")
        }
        self.pixels = pixels
    }

    private init(unchecked pixels: CVPixelBuffer) { self.pixels = pixels }

    /// Reads auxiliary image data, as `dictionary` returns it.
    ///
    /// - Throws: `AVError.malformedDepth`.
    init(_ dictionary: [AnyHashable: Any]) throws(AVError) {
        let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any] ?? [:]
        func number(_ key: String) -> Int { (description[key] as? NSNumber)?.intValue ?? 0 }
        let (width, height, bytesPerRow) = (number("Width"), number("Height"), number("BytesPerRow"))
        guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data, width > 0, height > 0,
            width <= bytesPerRow, data.count / bytesPerRow >= height,
            let pixels = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { throw AVError(.malformedDepth, "the dictionary has no complete matte") }
        data.withUnsafeBytes { bytes in
            pixels.withPlane(0) { plane in
                for row in 0..<height {
                    let source = UnsafeRawBufferPointer(rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + width])
                    UnsafeMutableRawBufferPointer(
                        start: plane.baseAddress + row * plane.bytesPerRow, count: width
                    ).copyMemory(from: source)
                }
            }
        }
        self.pixels = pixels
    }

    /// The matte as auxiliary image data, rows without padding.
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

    /// The matte after an orientation is applied.
    func applying(_ orientation: CGImagePropertyOrientation) -> MattingImage {
        let (width, height) = (CVPixelBufferGetWidth(pixels), CVPixelBufferGetHeight(pixels))
        let rotation = orientation.rotation.rawValue
        let isTurned = rotation % 180 != 0
        guard
            let result = CVPixelBuffer(
                width: isTurned ? height : width, height: isTurned ? width : height,
                pixelFormat: kCVPixelFormatType_OneComponent8)
        else { return self }
        let columns = CVPixelBufferGetWidth(result)
        pixels.withPlane(0) { source in
            result.withPlane(0) { destination in
                for y in 0..<CVPixelBufferGetHeight(result) {
                    for x in 0..<columns {
                        // The rotation is clockwise; the mirroring follows it.
                        let column = orientation.isMirrored ? columns - 1 - x : x
                        let (fromX, fromY) =
                            switch rotation {
                            case 90: (y, height - 1 - column)
                            case 180: (width - 1 - column, height - 1 - y)
                            case 270: (width - 1 - y, column)
                            default: (column, y)
                            }
                        let value = source.baseAddress.load(
                            fromByteOffset: fromY * source.bytesPerRow + fromX, as: UInt8.self)
                        destination.baseAddress.storeBytes(
                            of: value, toByteOffset: y * destination.bytesPerRow + x, as: UInt8.self)
                    }
                }
            }
        }
        return MattingImage(unchecked: result)
    }
}
