import AssetTypes
import CaptureHAL
public import Foundation
import MediaCodecs
import MediaTypes

/// Reads groups of timed metadata from a track output.
///
/// - Important: Only one caller at a time may use the adaptor and its output.
public final class AVAssetReaderOutputMetadataAdaptor: NSObject, @unchecked Sendable {
    // SAFETY: the constants are thread-safe objects and values; one caller at a time reads.
    public let assetReaderTrackOutput: AVAssetReaderTrackOutput
    private let formats: [CMFormatDescription: TimedMetadataFormat]

    /// Creates an adaptor.
    ///
    /// - Parameter trackOutput: An output of a metadata track, without output settings. Any other output is misuse.
    public init(assetReaderTrackOutput trackOutput: AVAssetReaderTrackOutput) {
        assetReaderTrackOutput = trackOutput
        formats = trackOutput.track.timedMetadataFormats
        super.init()
        if trackOutput.track.mediaType != .metadata || trackOutput.outputSettings != nil {
            trackOutput.track.asset?.system.misuse.report(
                .invalidArgument,
                "-[AVAssetReaderOutputMetadataAdaptor initWithAssetReaderTrackOutput:] the output must read a metadata "
                    + "track without output settings")
        }
    }

    /// Returns the next group; nil at the end or after a failure of the reader. Gaps between groups are skipped.
    public func nextTimedMetadataGroup() -> AVTimedMetadataGroup? {
        while let sample = assetReaderTrackOutput.copyNextSampleBuffer() {
            if let format = sample.formatDescription.flatMap({ formats[$0] }), let group = format.group(in: sample) {
                return group
            }
        }
        return nil
    }
}

extension TimedMetadataFormat {
    /// Returns the group in a sample; nil if the sample has no items.
    package func group(in sample: CMSampleBuffer) -> AVTimedMetadataGroup? {
        // A sample without readable data has no items.
        guard let data = sample.dataBuffer, let bytes = try? data.dataBytes() else { return nil }
        let items = items(in: bytes)
        guard !items.isEmpty else { return nil }
        let range = CMTimeRange(start: sample.presentationTimeStamp, duration: sample.duration)
        return AVTimedMetadataGroup(items: items, timeRange: range)
    }

    /// Returns the items in a sample. Each is a box: its size, the local ID of its key, and the value.
    /// Boxes with unknown keys are skipped.
    fileprivate func items(in sample: Data) -> [AVMetadataItem] {
        var items: [AVMetadataItem] = []
        var rest = sample[...]
        while rest.count >= 8 {
            let size = Int(rest.prefix(4).bigEndianInteger)
            let localID = UInt32(rest.dropFirst(4).prefix(4).bigEndianInteger)
            guard size >= 8, size <= rest.count else { break }
            if let key = keys.first(where: { $0.localID == localID }) {
                items.append(item(key, rest.prefix(size).dropFirst(8)))
            }
            rest = rest.dropFirst(size)
        }
        return items
    }

    private func item(_ key: Key, _ bytes: Data) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier("\(key.namespace)/\(key.name)")
        item.dataType = WellKnownMetadataType.name(of: key.dataType)
        let integer = bytes.bigEndianInteger
        // The well-known types of QTFF, "Metadata".
        item.value =
            switch (key.dataType, bytes.count) {
            case (1, _): NSString(string: String(decoding: bytes, as: UTF8.self))
            case (2, _): NSString(string: String(data: Data(bytes), encoding: .utf16BigEndian) ?? "")
            case (23, 4): NSNumber(value: Float(bitPattern: UInt32(truncatingIfNeeded: integer)))
            case (24, 8): NSNumber(value: Double(bitPattern: integer))
            case (65, 1): NSNumber(value: Int8(truncatingIfNeeded: integer))
            case (66, 2): NSNumber(value: Int16(truncatingIfNeeded: integer))
            case (67, 4): NSNumber(value: Int32(truncatingIfNeeded: integer))
            case (74, 8): NSNumber(value: Int64(truncatingIfNeeded: integer))
            case (75, 1), (76, 2), (77, 4), (78, 8): NSNumber(value: integer)
            default: NSData(data: Data(bytes))
            }
        return item
    }
}

extension Data {
    /// The bytes as an unsigned big-endian integer; of more than eight bytes, the last eight.
    fileprivate var bigEndianInteger: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
