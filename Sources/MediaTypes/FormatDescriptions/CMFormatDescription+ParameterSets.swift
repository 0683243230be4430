// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

extension CMFormatDescription {
    /// Makes the description of H.264 from its parameter sets; the size comes from the first sequence parameter set.
    ///
    /// - Parameters:
    ///   - h264ParameterSets: At least one sequence and one picture parameter set, without start codes.
    ///   - nalUnitHeaderLength: Bytes of a NAL unit's length in the samples: 1, 2 or 4.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` where a set is missing or cannot be read.
    public convenience init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        let sequences = h264ParameterSets.filter { ($0.first ?? 0) & 0x1f == 7 }
        let pictures = h264ParameterSets.filter { ($0.first ?? 0) & 0x1f == 8 }
        guard let first = sequences.first, !pictures.isEmpty, sequences.count < 32, pictures.count < 256,
            [1, 2, 4].contains(nalUnitHeaderLength), h264ParameterSets.allSatisfy({ $0.count <= 0xffff }),
            let size = SequenceParameterSet(h264: first)
        else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter,
                "H.264 needs a readable sequence and a picture parameter set, and lengths of 1, 2 or 4 bytes")
        }
        // ISO/IEC 14496-15, 5.3.3.1.
        var record = Data([1]) + size.profile
        record.append(contentsOf: [0xfc | UInt8(nalUnitHeaderLength - 1), 0xe0 | UInt8(sequences.count)])
        for set in sequences { record.append(sized(set)) }
        record.append(UInt8(pictures.count))
        for set in pictures { record.append(sized(set)) }
        if ![66, 77, 88].contains(size.profile[0]) {
            record.append(contentsOf: [0xfc | UInt8(size.chromaFormat)] + depthBytes(of: size) + [0])
        }
        self.init(
            video: kCMVideoCodecType_H264, width: Int32(size.width), height: Int32(size.height),
            entries: [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: ["avcC": record]])
    }

    /// Makes the description of HEVC from its parameter sets; the size comes from the first sequence parameter set.
    ///
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` where a set is missing or cannot be read.
    public convenience init(hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        let kinds: [UInt8] = [32, 33, 34]
        let groups = kinds.map { kind in hevcParameterSets.filter { ($0.first ?? 0) >> 1 & 0x3f == kind } }
        guard groups.allSatisfy({ !$0.isEmpty }), let first = groups[1].first, [1, 2, 4].contains(nalUnitHeaderLength),
            hevcParameterSets.allSatisfy({ $0.count <= 0xffff }), let size = SequenceParameterSet(hevc: first)
        else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter,
                "HEVC needs readable video, sequence and picture parameter sets, and lengths of 1, 2 or 4 bytes")
        }
        // ISO/IEC 14496-15, 8.3.3.1; segmentation, parallelism and frame rate are left unknown.
        var record = Data([1]) + size.profile
        record.append(contentsOf: [0xf0, 0, 0xfc, 0xfc | UInt8(size.chromaFormat)] + depthBytes(of: size) + [0, 0])
        let layers = UInt8(size.layers.extra + 1) << 3 | (size.layers.areNested ? 4 : 0)
        record.append(contentsOf: [layers | UInt8(nalUnitHeaderLength - 1), UInt8(kinds.count)])
        for (kind, sets) in zip(kinds, groups) {
            record.append(contentsOf: [0x80 | kind, UInt8(sets.count >> 8), UInt8(truncatingIfNeeded: sets.count)])
            for set in sets { record.append(sized(set)) }
        }
        self.init(
            video: kCMVideoCodecType_HEVC, width: Int32(size.width), height: Int32(size.height),
            entries: [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: ["hvcC": record]])
    }
}

/// The bit depths past 8, as both configuration records tell them.
private func depthBytes(of size: SequenceParameterSet) -> [UInt8] {
    [0xf8 | UInt8(size.extraBits.luma), 0xf8 | UInt8(size.extraBits.chroma)]
}

/// Bytes behind a 16-bit count of them.
private func sized(_ set: Data) -> Data {
    Data([UInt8(set.count >> 8), UInt8(truncatingIfNeeded: set.count)]) + set
}

/// Makes the description of H.264 from its parameter sets.
@discardableResult
public func CMVideoFormatDescriptionCreateFromH264ParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    let sets = (0..<max(0, parameterSetCount)).map {
        Data(bytes: parameterSetPointers[$0], count: parameterSetSizes[$0])
    }
    guard
        let description = try? CMFormatDescription(
            // The one reason to throw has one code.
            h264ParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength))
    else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = description
    return noErr
}

/// Makes the description of HEVC from its parameter sets.
@discardableResult
public func CMVideoFormatDescriptionCreateFromHEVCParameterSets(
    allocator: CFAllocator?, parameterSetCount: Int, parameterSetPointers: UnsafePointer<UnsafePointer<UInt8>>,
    parameterSetSizes: UnsafePointer<Int>, nalUnitHeaderLength: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    let sets = (0..<max(0, parameterSetCount)).map {
        Data(bytes: parameterSetPointers[$0], count: parameterSetSizes[$0])
    }
    guard
        let made = try? CMFormatDescription(
            // The one reason to throw has one code.
            hevcParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength))
    else { return kCMFormatDescriptionError_InvalidParameter }
    let entries = made.entries.merging(extensions ?? [:]) { own, _ in own }
    formatDescriptionOut.pointee = CMFormatDescription(
        video: made.rawMediaSubType, width: made.videoDimensions.width, height: made.videoDimensions.height,
        entries: entries)
    return noErr
}

/// One parameter set of H.264, without start code or length; valid while the description is alive.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` where there is no such set.
@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    parameterSet(
        videoDesc, kCMVideoCodecType_H264, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
        parameterSetCountOut, nalUnitHeaderLengthOut)
}

/// One parameter set of HEVC, without start code or length; valid while the description is alive.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` where there is no such set.
@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
    _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
    parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
    nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    parameterSet(
        videoDesc, kCMVideoCodecType_HEVC, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
        parameterSetCountOut, nalUnitHeaderLengthOut)
}

private func parameterSet(
    _ description: CMFormatDescription, _ codec: CMVideoCodecType, _ index: Int,
    _ pointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ sizeOut: UnsafeMutablePointer<Int>?,
    _ countOut: UnsafeMutablePointer<Int>?, _ lengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
    guard description.rawMediaSubType == codec, let store = description.parameterSetStore
    else { return kCMFormatDescriptionError_InvalidParameter }
    countOut?.pointee = store.sets.count
    lengthOut?.pointee = Int32(store.nalUnitHeaderLength)
    guard pointerOut != nil || sizeOut != nil else { return noErr }
    guard store.sets.indices.contains(index) else { return kCMFormatDescriptionError_InvalidParameter }
    pointerOut?.pointee = store.sets[index].baseAddress?.assumingMemoryBound(to: UInt8.self)
    sizeOut?.pointee = store.sets[index].count
    return noErr
}
