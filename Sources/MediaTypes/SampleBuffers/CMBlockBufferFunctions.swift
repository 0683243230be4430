// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import Glibc

/// Options of the block buffer functions.
public typealias CMBlockBufferFlags = UInt32

/// Allocate the memory immediately; has no effect, because this is always done.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
/// Copy even if the bytes are already contiguous.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 1 << 1
/// Keep references to references; has no effect, because a buffer always refers to blocks of memory directly.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 1 << 2
/// Allow references to an empty buffer.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 1 << 3

/// Success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// The allocation of the object failed.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// The allocation of the bytes failed.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// The custom block source has an unknown version or no allocation function.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// The offset is outside the buffer.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// The length is 0 or reaches past the end.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// A pointer is missing, or a buffer would refer to itself.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// The buffer is empty.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// The block has no memory yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// There is not enough space.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// A source of memory for block buffers.
public struct CMBlockBufferCustomBlockSource {
    /// Allocates a number of bytes.
    public typealias AllocateBlock = @convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?
    /// Frees memory of a number of bytes.
    public typealias FreeBlock = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void

    /// `kCMBlockBufferCustomBlockSourceVersion`.
    public var version: UInt32
    /// Allocates memory; may be nil if the caller passes the memory.
    public var AllocateBlock: AllocateBlock?
    /// Frees memory; nil if the memory must not be freed.
    public var FreeBlock: FreeBlock?
    /// Passed to both functions.
    public var refCon: UnsafeMutableRawPointer?

    /// Creates a source.
    public init(
        version: UInt32, AllocateBlock: AllocateBlock?, FreeBlock: FreeBlock?, refCon: UnsafeMutableRawPointer?
    ) {
        self.version = version
        self.AllocateBlock = AllocateBlock
        self.FreeBlock = FreeBlock
        self.refCon = refCon
    }
}

/// The version of `CMBlockBufferCustomBlockSource`.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Creates an empty buffer.
@discardableResult
public func CMBlockBufferCreateEmpty(
    allocator structureAllocator: CFAllocator?, capacity subBlockCapacity: UInt32, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    blockBufferOut.pointee = CMBlockBuffer()
    return kCMBlockBufferNoErr
}

/// Creates a buffer on a block of memory, or allocates memory if `memoryBlock` is nil.
///
/// If there is a custom source, its `FreeBlock` frees the memory. Without a source, the memory is not freed if
/// `blockAllocator` is `kCFAllocatorNull`; otherwise, `free` frees it.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
    allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    let buffer = CMBlockBuffer()
    let status = CMBlockBufferAppendMemoryBlock(
        buffer, memoryBlock: memoryBlock, length: blockLength, blockAllocator: blockAllocator,
        customBlockSource: customBlockSource, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
    if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
    return status
}

/// Appends a block of memory; see `CMBlockBufferCreateWithMemoryBlock`.
@discardableResult
public func CMBlockBufferAppendMemoryBlock(
    _ theBuffer: CMBlockBuffer, memoryBlock: UnsafeMutableRawPointer?, length blockLength: Int,
    blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
    offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags
) -> OSStatus {
    guard blockLength > 0 else { return kCMBlockBufferBadLengthParameterErr }
    guard (0...blockLength).contains(offsetToData) else { return kCMBlockBufferBadOffsetParameterErr }
    guard dataLength >= 0, dataLength <= blockLength - offsetToData else { return kCMBlockBufferBadLengthParameterErr }
    let source = customBlockSource?.pointee
    if let source, source.version != kCMBlockBufferCustomBlockSourceVersion {
        return kCMBlockBufferBadCustomBlockSourceErr
    }
    let block: CMBlockBuffer.Block
    if memoryBlock == nil && source?.AllocateBlock == nil {
        if source != nil { return kCMBlockBufferBadCustomBlockSourceErr }
        block = CMBlockBuffer.Block(zeroed: blockLength)
    } else {
        guard let memory = memoryBlock ?? source?.AllocateBlock?(source?.refCon, blockLength)
        else { return kCMBlockBufferBlockAllocationFailedErr }
        let address = UInt(bitPattern: memory)
        let context = UInt(bitPattern: source?.refCon)
        let isOwnedByCaller = source == nil && blockAllocator != nil && blockAllocator === kCFAllocatorNull
        let freeBlock = source?.FreeBlock
        let hasSource = source != nil
        block = CMBlockBuffer.Block(UnsafeMutableRawBufferPointer(start: memory, count: blockLength)) {
            guard let memory = UnsafeMutableRawPointer(bitPattern: address) else { return }
            if hasSource {
                freeBlock?(UnsafeMutableRawPointer(bitPattern: context), memory, blockLength)
            } else if !isOwnedByCaller {
                free(memory)
            }
        }
    }
    theBuffer.state.withLock { state in
        state.append(CMBlockBuffer.Piece(block: block, range: offsetToData..<offsetToData + dataLength))
    }
    return kCMBlockBufferNoErr
}

/// Creates a buffer that references a part of another one; length 0 means up to the end.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
    allocator structureAllocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer, offsetToData: Int,
    dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    let buffer = CMBlockBuffer()
    let status = CMBlockBufferAppendBufferReference(
        buffer, targetBBuf: bufferReference, offsetToData: offsetToData, dataLength: dataLength, flags: flags)
    if status == kCMBlockBufferNoErr { blockBufferOut.pointee = buffer }
    return status
}

/// Appends a reference to a part of another buffer; length 0 means up to the end.
@discardableResult
public func CMBlockBufferAppendBufferReference(
    _ theBuffer: CMBlockBuffer, targetBBuf: CMBlockBuffer, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags
) -> OSStatus {
    if targetBBuf.isEmpty && flags & kCMBlockBufferPermitEmptyReferenceFlag != 0 && targetBBuf !== theBuffer {
        return kCMBlockBufferNoErr
    }
    return theBuffer.appendReference(targetBBuf, offset: offsetToData, length: dataLength)
}

/// Creates a buffer with contiguous bytes: a reference if they are already contiguous, otherwise a copy.
@discardableResult
public func CMBlockBufferCreateContiguous(
    allocator structureAllocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?,
    customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int, dataLength: Int,
    flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    let part = CMBlockBuffer()
    let status = part.appendReference(sourceBuffer, offset: offsetToData, length: dataLength)
    guard status == kCMBlockBufferNoErr else { return status }
    if part.isContiguous && flags & kCMBlockBufferAlwaysCopyDataFlag == 0 {
        blockBufferOut.pointee = part
        return kCMBlockBufferNoErr
    }
    let block = part.contiguousCopy(of: 0..<part.dataLength)
    blockBufferOut.pointee = CMBlockBuffer([CMBlockBuffer.Piece(block: block, range: 0..<block.bytes.count)])
    return kCMBlockBufferNoErr
}

/// Ensures that memory is allocated; has no effect, because this is always the case.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus { kCMBlockBufferNoErr }

/// Copies bytes from a buffer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
    destination: UnsafeMutableRawPointer
) -> OSStatus {
    guard dataLength >= 0 else { return kCMBlockBufferBadLengthParameterErr }
    return theSourceBuffer.copy(
        offset: offsetToData, to: UnsafeMutableRawBufferPointer(start: destination, count: dataLength))
}

/// Overwrites bytes of a buffer.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
    dataLength: Int
) -> OSStatus {
    guard dataLength >= 0 else { return kCMBlockBufferBadLengthParameterErr }
    return destinationBuffer.replace(
        offset: offsetIntoDestination, with: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
}

/// Fills bytes with a value; length 0 means up to the end.
@discardableResult
public func CMBlockBufferFillDataBytes(
    with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    guard offsetIntoDestination >= 0 else { return kCMBlockBufferBadOffsetParameterErr }
    let count = dataLength == 0 ? max(0, destinationBuffer.dataLength - offsetIntoDestination) : dataLength
    return destinationBuffer.fill(UInt8(bitPattern: fillByte), offset: offsetIntoDestination, count: count)
}

/// Returns the address of the byte at an offset, the number of contiguous bytes there, and the total number of bytes.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
    totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    guard !theBuffer.isEmpty else { return kCMBlockBufferEmptyBBufErr }
    guard let bytes = theBuffer.contiguousBytes(atOffset: offset) else { return kCMBlockBufferBadOffsetParameterErr }
    lengthAtOffsetOut?.pointee = bytes.count
    totalLengthOut?.pointee = theBuffer.dataLength
    dataPointerOut?.pointee = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    return kCMBlockBufferNoErr
}

/// Returns the address of a range of bytes: in the buffer if they are contiguous, otherwise of a copy in
/// `temporaryBlock`.
@discardableResult
public func CMBlockBufferAccessDataBytes(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int, temporaryBlock: UnsafeMutableRawPointer,
    returnedPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OSStatus {
    guard let bytes = theBuffer.contiguousBytes(atOffset: offset) else { return kCMBlockBufferBadOffsetParameterErr }
    guard length >= 0 else { return kCMBlockBufferBadLengthParameterErr }
    if bytes.count >= length {
        returnedPointerOut.pointee = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return kCMBlockBufferNoErr
    }
    let status = CMBlockBufferCopyDataBytes(
        theBuffer, atOffset: offset, dataLength: length, destination: temporaryBlock)
    if status == kCMBlockBufferNoErr { returnedPointerOut.pointee = temporaryBlock.assumingMemoryBound(to: CChar.self) }
    return status
}

/// The number of bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Whether a range of bytes is contiguous; length 0 means up to the end.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    guard length >= 0, let bytes = theBuffer.contiguousBytes(atOffset: offset) else { return false }
    return bytes.count >= (length == 0 ? theBuffer.dataLength - offset : length)
}

/// Whether the buffer has no bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// The Core Foundation type identifier.
public func CMBlockBufferGetTypeID() -> CFTypeID { 3 }
