import Foundation
import MediaCodecs
import MediaTypes
import PixelKernels

extension AVDepthData {
    /// Returns the map as an image with one component, with its range and properties as XMP.
    ///
    /// Values are stored as 8-bit codes, from 0 for the smallest to 255 for the largest. Pixels without a measurement,
    /// which only unfiltered maps have, get the smallest value: the format cannot represent them.
    /// - Throws: `ImageError` if the map cannot be read.
    func codedImage() throws(ImageError) -> (codes: CVPixelBuffer, xmp: Data) {
        let isDisparity = DepthMap.isDisparity(depthDataType)
        let map = try DepthMap(depthDataMap, asDisparity: isDisparity)
        let measured = map.values.lazy.filter(\.isFinite)
        let (minimum, maximum) = (measured.min() ?? 0, measured.max() ?? 0)
        let scale = maximum > minimum ? 255 / (maximum - minimum) : 0
        let (width, height) = (map.width, map.height)
        guard let codes = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { throw ImageError(.outOfMemory, "a depth map of \(width)x\(height) cannot be allocated") }
        codes.withPlane(0) { plane in
            for row in 0..<height {
                let line = plane.baseAddress + row * plane.bytesPerRow
                for column in 0..<width {
                    let value = map.values[row * width + column]
                    let code = value.isFinite ? UInt8(((value - minimum) * scale).rounded()) : 0
                    line.storeBytes(of: code, toByteOffset: column, as: UInt8.self)
                }
            }
        }
        return (codes, xmp(isDisparity: isDisparity, minimum: minimum, maximum: maximum))
    }

    /// Returns the map as an auxiliary image of a HEIF file.
    ///
    /// - Throws: `ImageError` if the map cannot be read, or `EncodingError`.
    func heifImage() throws -> HEIFPhoto.AuxiliaryImage {
        let (codes, xmp) = try codedImage()
        return HEIFPhoto.AuxiliaryImage(
            kind: .depth, picture: try HEIFPicture(encoding: codes, quality: 0.9), xmp: xmp)
    }

    /// The properties that Apple's systems read with the map.
    private func xmp(isDisparity: Bool, minimum: Float, maximum: Float) -> Data {
        var properties = [
            ("apdi:AuxiliaryImageType", isDisparity ? "disparity" : "depth"), ("apdi:NativeFormat", "\(depthDataType)"),
            ("apdi:StoredFormat", "\(kCVPixelFormatType_OneComponent8)"), ("apdi:FloatMinValue", "\(minimum)"),
            ("apdi:FloatMaxValue", "\(maximum)"), ("apdi:IntMinValue", "0"), ("apdi:IntMaxValue", "255"),
            ("depthData:DepthDataVersion", "65541"),
        ]
        properties += xmpProperties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if let calibration = cameraCalibrationData {
            let size = calibration.intrinsicMatrixReferenceDimensions
            properties += [
                ("depthData:IntrinsicMatrixReferenceWidth", "\(Int(size.width))"),
                ("depthData:IntrinsicMatrixReferenceHeight", "\(Int(size.height))"),
                ("depthData:PixelSize", "\(calibration.pixelSize)"),
            ]
        }
        var writer = XMPWriter(namespaces: [
            ("apdi", "http://ns.apple.com/pixeldatainfo/1.0/"), ("depthData", "http://ns.apple.com/depthData/1.0/"),
        ])
        for (name, value) in properties { writer.add(name, value) }
        if let matrix = cameraCalibrationData?.intrinsicMatrix {
            let columns = [matrix.columns.0, matrix.columns.1, matrix.columns.2]
            writer.add(
                "depthData:IntrinsicMatrix", columns.flatMap { [$0.x, $0.y, $0.z] }.map { "\($0)" }, isOrdered: true)
        }
        return Data(writer.text.utf8)
    }
}
