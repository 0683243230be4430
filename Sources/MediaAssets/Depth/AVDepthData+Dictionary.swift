import CaptureHAL
public import Foundation
import MediaTypes

extension AVDepthData {
    /// XMP names of the depth properties in Apple's files (http://ns.apple.com/depthData/1.0/).
    private enum Name {
        static let accuracy = "depthData:Accuracy"
        static let quality = "depthData:Quality"
        static let filtered = "depthData:Filtered"
    }

    /// Returns the map and its properties in the form in which image files store them.
    ///
    /// Rows are stored without padding, values in native byte order.
    /// - Parameter outAuxDataType: Receives `kCGImageAuxiliaryDataTypeDisparity` or `…TypeDepth`.
    /// - Note: Unlike Apple, `kCGImageAuxiliaryDataInfoMetadata` is a dictionary, and the calibration is omitted.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        let (map, type) = (depthDataMap, depthDataType)
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let isHalf = type == kCVPixelFormatType_DisparityFloat16 || type == kCVPixelFormatType_DepthFloat16
        let rowByteCount = width * (isHalf ? 2 : 4)
        var data = Data(capacity: rowByteCount * height)
        map.withPlane(0) { plane in
            for row in 0..<height {
                data.append(
                    plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow,
                    count: rowByteCount)
            }
        }
        let isDisparity = type == kCVPixelFormatType_DisparityFloat16 || type == kCVPixelFormatType_DisparityFloat32
        outAuxDataType?.pointee = NSString(
            string: isDisparity ? kCGImageAuxiliaryDataTypeDisparity : kCGImageAuxiliaryDataTypeDepth)
        let description: [String: Any] = [
            "Width": width, "Height": height, "BytesPerRow": rowByteCount, "PixelFormat": Int(type),
        ]
        let metadata: [String: Any] = [
            Name.accuracy: depthDataAccuracy == .absolute ? "absolute" : "relative",
            Name.quality: depthDataQuality == .high ? "high" : "low",
            Name.filtered: isDepthDataFiltered ? "True" : "False",
        ]
        return [
            kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description,
            kCGImageAuxiliaryDataInfoMetadata: metadata,
        ]
    }

    /// Creates depth data from a dictionary that `dictionaryRepresentation(forAuxiliaryDataType:)` returned.
    ///
    /// - Throws: `AVError.malformedDepth`; its message names the missing or invalid entry.
    public convenience init(fromDictionaryRepresentation imageSourceAuxDataInfoDictionary: [AnyHashable: Any]) throws {
        let dictionary = imageSourceAuxDataInfoDictionary
        func malformed(_ reason: String) -> AVError {
            AVError(.malformedDepth, "the depth data is malformed: \(reason)")
        }
        guard let data = dictionary[kCGImageAuxiliaryDataInfoData] as? Data else {
            throw malformed("there is no data under \(kCGImageAuxiliaryDataInfoData)")
        }
        guard let description = dictionary[kCGImageAuxiliaryDataInfoDataDescription] as? [String: Any] else {
            throw malformed("there is no dictionary under \(kCGImageAuxiliaryDataInfoDataDescription)")
        }
        func number(_ key: String) throws -> Int {
            guard let number = (description[key] as? any BinaryInteger).flatMap({ Int(exactly: $0) }), number > 0 else {
                throw malformed("\(key) is missing or not an integer above 0")
            }
            return number
        }
        let (width, height, bytesPerRow) = (try number("Width"), try number("Height"), try number("BytesPerRow"))
        let type = OSType(truncatingIfNeeded: try number("PixelFormat"))
        let byteCount: Int
        switch type {
        case kCVPixelFormatType_DisparityFloat16, kCVPixelFormatType_DepthFloat16: byteCount = 2
        case kCVPixelFormatType_DisparityFloat32, kCVPixelFormatType_DepthFloat32: byteCount = 4
        default: throw malformed("PixelFormat must be hdis, fdis, hdep or fdep")
        }
        let lastRowOffset = bytesPerRow.multipliedReportingOverflow(by: height - 1)
        guard width <= bytesPerRow / byteCount, !lastRowOffset.overflow,
            data.count - width * byteCount >= lastRowOffset.partialValue
        else { throw malformed("\(data.count) bytes are too few for \(width)x\(height) in rows of \(bytesPerRow)") }
        guard let map = CVPixelBuffer(width: width, height: height, pixelFormat: type) else {
            throw malformed("a depth map of \(width)x\(height) cannot be allocated")
        }
        data.withUnsafeBytes { bytes in
            map.withPlane(0) { plane in
                for row in 0..<height {
                    let source = UnsafeRawBufferPointer(
                        rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + width * byteCount])
                    UnsafeMutableRawBufferPointer(
                        start: plane.baseAddress + row * plane.bytesPerRow, count: source.count
                    ).copyMemory(from: source)
                }
            }
        }
        let metadata = dictionary[kCGImageAuxiliaryDataInfoMetadata] as? [String: Any] ?? [:]
        self.init(
            Contents(
                map: map, accuracy: metadata[Name.accuracy] as? String == "absolute" ? .absolute : .relative,
                quality: metadata[Name.quality] as? String == "low" ? .low : .high,
                isFiltered: metadata[Name.filtered] as? String == "True"),
            misuse: CaptureSystem.current.misuse)
    }
}
