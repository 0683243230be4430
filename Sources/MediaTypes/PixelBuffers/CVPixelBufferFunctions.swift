// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// Called when a buffer on external memory is released.
public typealias CVPixelBufferReleaseBytesCallback =
    @convention(c) (
        _ releaseRefCon: UnsafeMutableRawPointer?, _ baseAddress: UnsafeRawPointer?
    ) -> Void

/// Called when a buffer on external planes is released.
public typealias CVPixelBufferReleasePlanarBytesCallback =
    @convention(c) (
        _ releaseRefCon: UnsafeMutableRawPointer?, _ dataPtr: UnsafeRawPointer?, _ dataSize: Int,
        _ numberOfPlanes: Int, _ planeAddresses: UnsafeMutablePointer<UnsafeRawPointer?>?
    ) -> Void

/// Creates a pixel buffer with zeroed pixels; rows and planes are aligned to 64 bytes.
///
/// - Parameter pixelBufferAttributes: Extended pixels, row alignment and initial attachments are used; other
///   attributes are only returned by `CVPixelBufferCopyCreationAttributes`.
/// - Returns: Success, or an error code if the format, the size or an attribute is invalid, or the allocation fails.
@discardableResult
public func CVPixelBufferCreate(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    switch PixelMemory.allocate(width, height, pixelFormatType, pixelBufferAttributes ?? [:]) {
    case .success(let memory):
        pixelBufferOut.pointee = CVPixelBuffer(memory)
        return kCVReturnSuccess
    case .failure(let failure):
        return failure.code
    }
}

/// Creates a pixel buffer on packed pixels that the caller owns.
///
/// - Parameters:
///   - bytesPerRow: At least the number that the format requires.
///   - releaseCallback: Called once, when the last reference is released; not called if the function fails.
@discardableResult
public func CVPixelBufferCreateWithBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ releaseCallback: CVPixelBufferReleaseBytesCallback?,
    _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?,
    _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let format = PixelFormat.format(of: pixelFormatType), !format.isPlanar
    else { return kCVReturnInvalidPixelFormat }
    guard width > 0, height > 0 else { return kCVReturnInvalidSize }
    let plane = PixelPlane(baseAddress: baseAddress, width: width, height: height, bytesPerRow: bytesPerRow)
    guard format.accepts([plane], width: width, height: height) else { return kCVReturnInvalidArgument }
    let memory = PixelMemory(
        format, width: width, height: height, planes: [plane], attributes: pixelBufferAttributes ?? [:]
    ) { releaseCallback?(releaseRefCon, UnsafeRawPointer(baseAddress)) }
    pixelBufferOut.pointee = CVPixelBuffer(memory)
    return kCVReturnSuccess
}

/// Creates a pixel buffer on planes that the caller owns.
///
/// - Parameters:
///   - dataPtr: The memory that contains all planes, or nil; only passed to the callback.
///   - planeBaseAddress: An array of `numberOfPlanes` addresses, like the arrays of widths, heights and strides.
///   - releaseCallback: Called once, when the last reference is released; not called if the function fails.
@discardableResult
public func CVPixelBufferCreateWithPlanarBytes(
    _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
    _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
    _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
    _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
    _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
    _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
    guard let format = PixelFormat.format(of: pixelFormatType), format.isPlanar
    else { return kCVReturnInvalidPixelFormat }
    guard width > 0, height > 0 else { return kCVReturnInvalidSize }
    guard numberOfPlanes == format.planes.count else { return kCVReturnInvalidArgument }
    var planes: [PixelPlane] = []
    for index in 0..<numberOfPlanes {
        guard let address = planeBaseAddress[index] else { return kCVReturnInvalidArgument }
        planes.append(
            PixelPlane(
                baseAddress: address, width: planeWidth[index], height: planeHeight[index],
                bytesPerRow: planeBytesPerRow[index]))
    }
    guard format.accepts(planes, width: width, height: height) else { return kCVReturnInvalidArgument }
    let memory = PixelMemory(
        format, width: width, height: height, planes: planes, attributes: pixelBufferAttributes ?? [:]
    ) {
        guard let releaseCallback else { return }
        var addresses = planes.map { UnsafeRawPointer?($0.baseAddress) }
        addresses.withUnsafeMutableBufferPointer {
            releaseCallback(releaseRefCon, dataPtr.map { UnsafeRawPointer($0) }, dataSize, planes.count, $0.baseAddress)
        }
    }
    pixelBufferOut.pointee = CVPixelBuffer(memory)
    return kCVReturnSuccess
}

/// The Core Foundation type identifier.
public func CVPixelBufferGetTypeID() -> CFTypeID { 1 }

/// Locks the pixels, which makes their addresses available; locks are counted.
///
/// - Parameter lockFlags: `.readOnly` if the pixels will not be written; the unlock call must have the same flags.
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
{
    pixelBuffer.lock(lockFlags)
}

/// Unlocks the pixels once.
///
/// - Returns: `kCVReturnInvalidArgument` if no lock with these flags is held.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
    _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
    pixelBuffer.unlock(unlockFlags)
}

/// The width in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// The height in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The pixel format's code.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormat }

/// The address of the first pixel, or of the first plane of a planar buffer; nil while the buffer is not locked.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
    pixelBuffer.isLocked ? pixelBuffer.planes.first?.baseAddress : nil
}

/// The stride in bytes; for a planar buffer, the size of all planes divided by the height.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
    guard pixelBuffer.format.isPlanar else { return pixelBuffer.planes[0].bytesPerRow }
    return (pixelBuffer.memory.byteCount + pixelBuffer.height - 1) / pixelBuffer.height
}

/// The size of all planes in bytes, including padding.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.memory.byteCount }

/// Whether the format is planar.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.format.isPlanar }

/// The number of planes; 0 for a packed format.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
    pixelBuffer.format.isPlanar ? pixelBuffer.planes.count : 0
}

/// Columns of a plane; 0 if there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planarPlane(planeIndex)?.width ?? 0
}

/// Rows of a plane; 0 if there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planarPlane(planeIndex)?.height ?? 0
}

/// The address of a plane's first pixel; nil while the buffer is not locked, or if there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
    _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
    pixelBuffer.isLocked ? pixelBuffer.planarPlane(planeIndex)?.baseAddress : nil
}

/// Bytes from one row of a plane to the next; 0 if there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
    pixelBuffer.planarPlane(planeIndex)?.bytesPerRow ?? 0
}

/// The numbers of additional columns and rows around the image.
public func CVPixelBufferGetExtendedPixels(
    _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
    _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
    _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
    let padding = pixelBuffer.memory.padding
    extraColumnsOnLeft?.pointee = padding.left
    extraColumnsOnRight?.pointee = padding.right
    extraRowsOnTop?.pointee = padding.top
    extraRowsOnBottom?.pointee = padding.bottom
}

/// The attributes that the buffer was created with, including its size and format.
public func CVPixelBufferCopyCreationAttributes(_ pixelBuffer: CVPixelBuffer) -> CFDictionary {
    var attributes = pixelBuffer.memory.attributes
    attributes[kCVPixelBufferWidthKey] = pixelBuffer.width
    attributes[kCVPixelBufferHeightKey] = pixelBuffer.height
    attributes[kCVPixelBufferPixelFormatTypeKey] = pixelBuffer.pixelFormat
    return attributes
}

/// Whether a buffer has the pixel format, size and row alignment that attributes request, and at least their numbers of
/// extended pixels.
public func CVPixelBufferIsCompatibleWithAttributes(_ pixelBuffer: CVPixelBuffer, _ attributes: CFDictionary?) -> Bool {
    guard let attributes else { return true }
    if let formats = pixelFormats(attributes[kCVPixelBufferPixelFormatTypeKey]),
        !formats.contains(pixelBuffer.pixelFormat)
    {
        return false
    }
    if let width = integerValue(attributes[kCVPixelBufferWidthKey], as: Int.self), width != pixelBuffer.width {
        return false
    }
    if let height = integerValue(attributes[kCVPixelBufferHeightKey], as: Int.self), height != pixelBuffer.height {
        return false
    }
    if let alignment = integerValue(attributes[kCVPixelBufferBytesPerRowAlignmentKey], as: Int.self), alignment > 0,
        !pixelBuffer.planes.allSatisfy({ $0.bytesPerRow % alignment == 0 })
    {
        return false
    }
    guard let padding = PixelMemoryLayout.Padding(attributes) else { return false }
    return pixelBuffer.memory.padding.contains(padding)
}

/// The pixel formats of an attribute that is one code or an array of codes.
func pixelFormats(_ attribute: Any?) -> [OSType]? {
    if let code = integerValue(attribute, as: OSType.self) { return [code] }
    if let codes = attribute as? [Any] { return codes.compactMap { integerValue($0, as: OSType.self) } }
    return nil
}

extension CVBuffer {
    /// Returns a plane of a planar format; nil for packed formats and invalid indexes.
    fileprivate func planarPlane(_ index: Int) -> PixelPlane? {
        memory.format.isPlanar && memory.planes.indices.contains(index) ? memory.planes[index] : nil
    }
}
