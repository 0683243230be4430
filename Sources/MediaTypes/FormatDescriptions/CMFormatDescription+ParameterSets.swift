// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

extension CMFormatDescription {
    /// Creates an H.264 description from parameter sets; the dimensions come from the first sequence parameter set.
    ///
    /// - Parameters:
    ///   - h264ParameterSets: At least one sequence and one picture parameter set, without start codes.
    ///   - nalUnitHeaderLength: The size in bytes of a NAL unit's length field in samples: 1, 2 or 4.
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` if a set is missing or invalid.
    public convenience init(h264ParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        // NAL unit types of ITU-T H.264, table 7-1: 7 is a sequence parameter set, 8 a picture parameter set.
        let sequences = h264ParameterSets.filter { ($0.first ?? 0) & 0x1f == 7 }
        let pictures = h264ParameterSets.filter { ($0.first ?? 0) & 0x1f == 8 }
        guard let first = sequences.first, !pictures.isEmpty, sequences.count < 32, pictures.count < 256,
            [1, 2, 4].contains(nalUnitHeaderLength), h264ParameterSets.allSatisfy({ $0.count <= 0xffff }),
            let sequence = SequenceParameterSet(h264: first)
        else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter,
                "H.264 needs a valid sequence parameter set, a picture parameter set and 1, 2 or 4 length bytes"
            )
        }
        // The `avcC` record of ISO/IEC 14496-15, 5.3.3.1.
        var record = Data([1]) + sequence.profileAndLevel
        record.append(contentsOf: [0xfc | UInt8(nalUnitHeaderLength - 1), 0xe0 | UInt8(sequences.count)])
        for set in sequences { record.append(lengthPrefixed(set)) }
        record.append(UInt8(pictures.count))
        for set in pictures { record.append(lengthPrefixed(set)) }
        // All profiles except Baseline, Main and Extended add the chroma format and the bit depths.
        if ![66, 77, 88].contains(sequence.profileAndLevel[0]) {
            record.append(contentsOf: [0xfc | UInt8(sequence.chromaFormat)] + bitDepthBytes(of: sequence) + [0])
        }
        self.init(
            video: kCMVideoCodecType_H264, width: Int32(sequence.width), height: Int32(sequence.height),
            entries: [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: ["avcC": record]])
    }

    /// Creates an HEVC description from parameter sets; the dimensions come from the first sequence parameter set.
    ///
    /// - Throws: `kCMFormatDescriptionError_InvalidParameter` if a set is missing or invalid, or if there are more than
    ///   65,535 of a type.
    public convenience init(hevcParameterSets: [Data], nalUnitHeaderLength: Int = 4) throws {
        // NAL unit types of ITU-T H.265, table 7-1: video, sequence and picture parameter sets.
        let unitTypes: [UInt8] = [32, 33, 34]
        let groups = unitTypes.map { type in hevcParameterSets.filter { ($0.first ?? 0) >> 1 & 0x3f == type } }
        // The record counts the sets of each type in 16 bits.
        guard groups.allSatisfy({ (1...0xffff).contains($0.count) }), let first = groups[1].first,
            [1, 2, 4].contains(nalUnitHeaderLength), hevcParameterSets.allSatisfy({ $0.count <= 0xffff }),
            let sequence = SequenceParameterSet(hevc: first)
        else {
            throw mediaError(
                kCMFormatDescriptionError_InvalidParameter,
                "HEVC needs valid video, sequence and picture parameter sets, and a length field of 1, 2 or 4 bytes")
        }
        // The `hvcC` record of ISO/IEC 14496-15, 8.3.3.1; segmentation, parallelism and frame rate are marked as
        // unknown.
        var record = Data([1]) + sequence.profileAndLevel
        record.append(
            contentsOf: [0xf0, 0, 0xfc, 0xfc | UInt8(sequence.chromaFormat)] + bitDepthBytes(of: sequence) + [0, 0])
        let sublayers =
            UInt8(sequence.temporalSublayers.countMinus1 + 1) << 3
            | (sequence.temporalSublayers.areNested ? 4 : 0)
        record.append(contentsOf: [sublayers | UInt8(nalUnitHeaderLength - 1), UInt8(unitTypes.count)])
        for (type, sets) in zip(unitTypes, groups) {
            record.append(contentsOf: [0x80 | type, UInt8(sets.count >> 8), UInt8(truncatingIfNeeded: sets.count)])
            for set in sets { record.append(lengthPrefixed(set)) }
        }
        self.init(
            video: kCMVideoCodecType_HEVC, width: Int32(sequence.width), height: Int32(sequence.height),
            entries: [kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: ["hvcC": record]])
    }
}

/// Returns the bytes for the luma and chroma bit depths, which are the same in `avcC` and `hvcC`.
private func bitDepthBytes(of sequence: SequenceParameterSet) -> [UInt8] {
    [0xf8 | UInt8(sequence.bitDepthsMinus8.luma), 0xf8 | UInt8(sequence.bitDepthsMinus8.chroma)]
}

/// Returns bytes prefixed with their 16-bit count.
private func lengthPrefixed(_ set: Data) -> Data {
    Data([UInt8(set.count >> 8), UInt8(truncatingIfNeeded: set.count)]) + set
}

/// Creates an H.264 description from parameter sets.
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
            // The initializer throws only this code.
            h264ParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength))
    else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = description
    return noErr
}

/// Creates an HEVC description from parameter sets.
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
        let created = try? CMFormatDescription(
            // The initializer throws only this code.
            hevcParameterSets: sets, nalUnitHeaderLength: Int(nalUnitHeaderLength))
    else { return kCMFormatDescriptionError_InvalidParameter }
    let entries = created.entries.merging(extensions ?? [:]) { created, _ in created }
    formatDescriptionOut.pointee = CMFormatDescription(
        video: created.rawMediaSubType, width: created.videoDimensions.width, height: created.videoDimensions.height,
        entries: entries)
    return noErr
}

/// Returns an H.264 parameter set without start code or length; valid during the description's lifetime.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if there is no such set.
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

/// Returns an HEVC parameter set without start code or length; valid during the description's lifetime.
///
/// - Returns: `kCMFormatDescriptionError_InvalidParameter` if there is no such set.
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
