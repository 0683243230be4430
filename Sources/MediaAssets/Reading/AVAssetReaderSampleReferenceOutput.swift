import AssetTypes
import Foundation
import MediaTypes

/// Reads the positions of a track's samples in the file, without their data.
///
/// The sample buffers have timing, sizes and the attachments `kCMSampleBufferAttachmentKey_SampleReferenceURL` (a
/// `URL`) and `kCMSampleBufferAttachmentKey_SampleReferenceByteOffset`.
public final class AVAssetReaderSampleReferenceOutput: AVAssetReaderOutput, @unchecked Sendable {
    // SAFETY: the constant is a thread-safe object.
    public let track: AVAssetTrack

    public init(track: AVAssetTrack) { self.track = track }

    override var tracks: [AVAssetTrack] { [track] }

    override func makeSampleReader(_ ranges: [CMTimeRange]) throws(AVError) -> any SampleReader {
        StoredSampleReader(track, ranges, asReferences: true)
    }
}
