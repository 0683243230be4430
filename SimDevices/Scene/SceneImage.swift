import CSimKernels
import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels
import StrictYAML

/// A decoded image file.
final class SceneImage: @unchecked Sendable, Hashable {
    // SAFETY: the pixels are only written in `init`, and only read afterwards.
    let width: Int
    let height: Int
    private let pixels: CVPixelBuffer

    /// Reads a PNG or JPEG file.
    ///
    /// - Throws: `YAMLError` at the file's name if it does not exist or cannot be decoded.
    init(_ value: YAMLValue) throws(YAMLError) {
        let path = try value.siblingPath()
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw value.error("there is no file \(path)", "name a PNG or JPEG picture")
        }
        guard !isFolder.boolValue else { throw value.error("\(path) is a folder", "name a PNG or JPEG picture") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw value.error("\(path) cannot be read", "check its permissions")
        }
        do throws(ImageError) {
            pixels =
                data.starts(with: [0x89, 0x50, 0x4e, 0x47])
                ? try PNGCodec().decode(data)
                : try JPEGCodec().decode(data, pixelFormat: kCVPixelFormatType_32BGRA).pixels
        } catch {
            throw value.error("\(path) cannot be used: \(error.message)", "name a PNG or JPEG picture")
        }
        width = CVPixelBufferGetWidth(pixels)
        height = CVPixelBufferGetHeight(pixels)
    }

    static func == (a: SceneImage, b: SceneImage) -> Bool { a === b }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns the image as a positioned layer; nil if it is outside the view.
    ///
    /// - Parameter isCropped: Whether the layer is cropped to the view.
    func placed(_ layer: SceneLayer, in view: SceneView, isCropped: Bool) -> PlacedLayer? {
        layer.placed(pixels, transfer: .sRGB, in: view, isCropped: isCropped)
    }
}

/// The transfer function of a file's values.
enum TransferFunction {
    /// IEC 61966-2-1, for images.
    case sRGB
    /// Rec. ITU-R BT.709-6, 1.2, for movies.
    case bt709

    /// The linear light of each value from 0 to 255, in 65,535ths.
    var light: [UInt16] {
        switch self {
        case .sRGB: Self.sRGBLight
        case .bt709: Self.bt709Light
        }
    }

    private static let sRGBLight = table { value in
        value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    }
    private static let bt709Light = table { value in
        value < 0.081 ? value / 4.5 : power((value + 0.099) / 1.099, 1 / 0.45)
    }

    private static func table(_ light: (Double) -> Double) -> [UInt16] {
        (0...255).map { UInt16((min(max(light(Double($0) / 255), 0), 1) * 65535).rounded()) }
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double {
        RepeatableMath.exp2(exponent * RepeatableMath.log2(base))
    }
}

extension SceneLayer {
    /// Returns pixels as a bitmap at the layer's position; nil if it is outside the view.
    ///
    /// - Parameters:
    ///   - pixels: 32BGRA.
    ///   - isCropped: Whether the layer is cropped to the view. If false, only a layer that is much larger than the
    ///     view is cropped.
    func placed(
        _ pixels: CVPixelBuffer, transfer: TransferFunction, in view: SceneView, isCropped: Bool
    ) -> PlacedLayer? {
        let frame = frame(in: view)
        let center = (x: frame.left + frame.width / 2, y: frame.top + frame.height / 2)
        // A movable layer is cropped at two frame sizes from its center.
        let limit = (x: 2 * Double(view.width), y: 2 * Double(view.height))
        let columns = isCropped ? 0...Double(view.width) : center.x - limit.x...center.x + limit.x
        let rows = isCropped ? 0...Double(view.height) : center.y - limit.y...center.y + limit.y
        // The pixels that the layer touches, from an even column and an even row on.
        func begin(_ value: Double, in range: ClosedRange<Double>) -> Int {
            Int(min(max(value, range.lowerBound), 1e6).rounded(.down)) & ~1
        }
        func end(_ value: Double, in range: ClosedRange<Double>) -> Int {
            Int(max(min(value, range.upperBound), -1e6).rounded(.up))
        }
        let (left, top) = (begin(frame.left, in: columns), begin(frame.top, in: rows))
        let right = end(frame.left + frame.width, in: columns)
        let bottom = end(frame.top + frame.height, in: rows)
        guard right > left, bottom > top else { return nil }
        let canvas = SceneCanvas(width: right - left, height: bottom - top, scale: 1, originX: 0, originY: 0)
        var target = csim_rect()
        func fixed(_ value: Double) -> Int32 { Int32(min(max((value * 256).rounded(), -2e9), 2e9)) }
        (target.left, target.top) = (fixed(frame.left - Double(left)), fixed(frame.top - Double(top)))
        (target.width, target.height) = (max(1, fixed(frame.width)), max(1, fixed(frame.height)))
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess else { return nil }
        defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(pixels) else { return nil }
        canvas.draw(
            base.assumingMemoryBound(to: UInt8.self), width: CVPixelBufferGetWidth(pixels),
            height: CVPixelBufferGetHeight(pixels), bytesPerRow: CVPixelBufferGetBytesPerRow(pixels),
            light: transfer.light, in: target)
        var layer = PlacedLayer(bitmap: SceneBitmap(canvas), x: left, y: top, depth: depth, brightness: brightness)
        layer.object = name
        return layer
    }
}
