import AssetTypes
import CaptureHAL
public import Foundation
import MediaTypes
import PixelKernels

extension AVDepthData {
    /// The XMP properties of depth data in Apple's files (http://ns.apple.com/depthData/1.0/).
    private enum XMPName {
        static let accuracy = "depthData:Accuracy"
        static let quality = "depthData:Quality"
        static let filtered = "depthData:Filtered"
    }

    /// Returns the depth map and its metadata as auxiliary image data. Never nil.
    ///
    /// Rows have no padding; values are in native byte order.
    /// - Parameter outAuxDataType: Receives `kCGImageAuxiliaryDataTypeDisparity` or `kCGImageAuxiliaryDataTypeDepth`.
    /// - Note: Unlike Apple, `kCGImageAuxiliaryDataInfoMetadata` is a dictionary, and the calibration is omitted.
    public func dictionaryRepresentation(
        forAuxiliaryDataType outAuxDataType: UnsafeMutablePointer<NSString?>?
    ) -> [AnyHashable: Any]? {
        let (map, type) = (depthDataMap, depthDataType)
        let (width, height) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let rowByteCount = width * (DepthMap.isHalfFloat(type) ? 2 : 4)
        var data = Data(capacity: rowByteCount * height)
        map.withPlane(0) { plane in
            for row in 0..<height {
                data.append(
                    plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow,
                    count: rowByteCount)
            }
        }
        outAuxDataType?.pointee = NSString(
            string: DepthMap.isDisparity(type) ? kCGImageAuxiliaryDataTypeDisparity : kCGImageAuxiliaryDataTypeDepth)
        let description: [String: Any] = [
            "Width": width, "Height": height, "BytesPerRow": rowByteCount, "PixelFormat": Int(type),
        ]
        return [
            kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description,
            kCGImageAuxiliaryDataInfoMetadata: xmpProperties as [String: Any],
        ]
    }

    /// Accuracy, quality and filtering under the names of XMP.
    var xmpProperties: [String: String] {
        [
            XMPName.accuracy: depthDataAccuracy == .absolute ? "absolute" : "relative",
            XMPName.quality: depthDataQuality == .high ? "high" : "low",
            XMPName.filtered: isDepthDataFiltered ? "True" : "False",
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
        guard DepthMap.pixelFormats.contains(type) else {
            throw malformed("PixelFormat must be hdis, fdis, hdep or fdep")
        }
        let bytesPerValue = DepthMap.isHalfFloat(type) ? 2 : 4
        let lastRowOffset = bytesPerRow.multipliedReportingOverflow(by: height - 1)
        guard width <= bytesPerRow / bytesPerValue, !lastRowOffset.overflow,
            data.count - width * bytesPerValue >= lastRowOffset.partialValue
        else { throw malformed("\(data.count) bytes are too few for \(width)x\(height) in rows of \(bytesPerRow)") }
        guard let map = CVPixelBuffer(width: width, height: height, pixelFormat: type) else {
            throw malformed("a depth map of \(width)x\(height) cannot be allocated")
        }
        data.withUnsafeBytes { bytes in
            map.withPlane(0) { plane in
                for row in 0..<height {
                    let source = UnsafeRawBufferPointer(
                        rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + width * bytesPerValue])
                    UnsafeMutableRawBufferPointer(
                        start: plane.baseAddress + row * plane.bytesPerRow, count: source.count
                    ).copyMemory(from: source)
                }
            }
        }
        let metadata = dictionary[kCGImageAuxiliaryDataInfoMetadata] as? [String: Any] ?? [:]
        self.init(
            Contents(
                map: map, accuracy: metadata[XMPName.accuracy] as? String == "absolute" ? .absolute : .relative,
                quality: metadata[XMPName.quality] as? String == "low" ? .low : .high,
                isFiltered: metadata[XMPName.filtered] as? String == "True"),
            misuse: CaptureSystem.current.misuse)
    }
}
