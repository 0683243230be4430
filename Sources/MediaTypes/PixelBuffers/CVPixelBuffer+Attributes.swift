// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Combines dictionaries of attributes into one dictionary that satisfies all of them.
///
/// The result has the pixel formats that all dictionaries allow, and the largest number of extended pixels for each
/// side. Other attributes must have equal values.
/// - Parameter attributes: Dictionaries of `kCVPixelBuffer…` attributes.
/// - Returns: `kCVReturnInvalidPixelFormat` if there is no common pixel format, `kCVReturnInvalidPixelBufferAttributes`
///   if other values differ.
@discardableResult
public func CVPixelBufferCreateResolvedAttributesDictionary(
    _ allocator: CFAllocator?, _ attributes: CFArray?,
    _ resolvedDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> CVReturn {
    guard let dictionaries = attributes as? [CFDictionary] else { return kCVReturnInvalidArgument }
    let extendedPixelKeys = [
        kCVPixelBufferExtendedPixelsLeftKey, kCVPixelBufferExtendedPixelsTopKey, kCVPixelBufferExtendedPixelsRightKey,
        kCVPixelBufferExtendedPixelsBottomKey,
    ]
    var result: CFDictionary = [:]
    for (key, value) in dictionaries.joined() {
        guard let old = result[key] else {
            result[key] = value
            continue
        }
        if key == kCVPixelBufferPixelFormatTypeKey {
            let common = formats(old).filter { formats(value).contains($0) }
            guard !common.isEmpty else { return kCVReturnInvalidPixelFormat }
            result[key] = common.count == 1 ? common[0] as Any : common as Any
        } else if extendedPixelKeys.contains(key) {
            if (doubleValue(value) ?? 0) > (doubleValue(old) ?? 0) { result[key] = value }
        } else if !areEqual(value, old) {
            return kCVReturnInvalidPixelBufferAttributes
        }
    }
    resolvedDictionaryOut.pointee = result
    return kCVReturnSuccess
}

/// Returns the pixel formats of an attribute that is one code or an array of codes.
private func formats(_ value: Any) -> [OSType] {
    if let list = value as? [Any] { return list.compactMap { integerValue($0, as: OSType.self) } }
    return integerValue(value, as: OSType.self).map { [$0] } ?? []
}

/// Fills the extended pixels, which are the additional columns and rows around the image, with copies of the nearest
/// pixels of the image.
///
/// - Returns: `kCVReturnUnsupported` for formats whose pixels share a block or are not whole bytes.
@discardableResult
public func CVPixelBufferFillExtendedPixels(_ pixelBuffer: CVPixelBuffer) -> CVReturn {
    let padding = pixelBuffer.memory.padding
    guard let format = PixelFormat.format(of: pixelBuffer.pixelFormat),
        format.planes.allSatisfy({ $0.blockWidth == 1 && $0.bitsPerBlock % 8 == 0 })
    else { return kCVReturnUnsupported }
    for (index, description) in format.planes.enumerated() {
        let (columns, rows) = (description.horizontalSubsampling, description.verticalSubsampling)
        let (left, right) = (padding.left / columns, padding.right / columns)
        let (top, bottom) = (padding.top / rows, padding.bottom / rows)
        let width = (pixelBuffer.width + columns - 1) / columns
        let height = (pixelBuffer.height + rows - 1) / rows
        let pixelByteCount = description.bitsPerBlock / 8
        pixelBuffer.withPlane(index) { plane in
            func pixel(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
                plane.baseAddress + y * plane.bytesPerRow + x * pixelByteCount
            }
            for y in 0..<height {
                for x in 0..<left { pixel(x - left, y).copyMemory(from: pixel(0, y), byteCount: pixelByteCount) }
                for x in 0..<right {
                    pixel(width + x, y).copyMemory(from: pixel(width - 1, y), byteCount: pixelByteCount)
                }
            }
            let rowByteCount = (left + width + right) * pixelByteCount
            for y in 0..<top { pixel(-left, y - top).copyMemory(from: pixel(-left, 0), byteCount: rowByteCount) }
            for y in 0..<bottom {
                pixel(-left, height + y).copyMemory(from: pixel(-left, height - 1), byteCount: rowByteCount)
            }
        }
    }
    return kCVReturnSuccess
}
