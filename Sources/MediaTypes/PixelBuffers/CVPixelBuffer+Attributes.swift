// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Combines several dictionaries of attributes into one that satisfies all.
///
/// Pixel formats are intersected; the largest extension at each side applies. Equal values of other attributes are
/// kept.
/// - Parameter attributes: Dictionaries of `kCVPixelBuffer…` attributes.
/// - Returns: `kCVReturnInvalidPixelFormat` without a common pixel format, `kCVReturnInvalidPixelBufferAttributes` if
///   other values differ.
@discardableResult
public func CVPixelBufferCreateResolvedAttributesDictionary(
    _ allocator: CFAllocator?, _ attributes: CFArray?,
    _ resolvedDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> CVReturn {
    guard let dictionaries = attributes as? [CFDictionary] else { return kCVReturnInvalidArgument }
    let margins = [
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
        } else if margins.contains(key) {
            if (doubleValue(value) ?? 0) > (doubleValue(old) ?? 0) { result[key] = value }
        } else if !areEqual(value, old) {
            return kCVReturnInvalidPixelBufferAttributes
        }
    }
    resolvedDictionaryOut.pointee = result
    return kCVReturnSuccess
}

private func formats(_ value: Any) -> [OSType] {
    if let list = value as? [Any] { return list.compactMap { integerValue($0, as: OSType.self) } }
    return integerValue(value, as: OSType.self).map { [$0] } ?? []
}

/// Copies the pixels at the edges to the additional columns and rows around the image.
///
/// - Returns: `kCVReturnUnsupported` for formats with pixels that are not whole bytes.
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
        let size = description.bitsPerBlock / 8
        pixelBuffer.withPlane(index) { plane in
            func pixel(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
                plane.baseAddress + y * plane.bytesPerRow + x * size
            }
            for y in 0..<height {
                for x in 0..<left { pixel(x - left, y).copyMemory(from: pixel(0, y), byteCount: size) }
                for x in 0..<right { pixel(width + x, y).copyMemory(from: pixel(width - 1, y), byteCount: size) }
            }
            let rowByteCount = (left + width + right) * size
            for y in 0..<top { pixel(-left, y - top).copyMemory(from: pixel(-left, 0), byteCount: rowByteCount) }
            for y in 0..<bottom {
                pixel(-left, height + y).copyMemory(from: pixel(-left, height - 1), byteCount: rowByteCount)
            }
        }
    }
    return kCVReturnSuccess
}
