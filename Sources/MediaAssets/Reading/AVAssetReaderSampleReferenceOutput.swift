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

    public init(track: AVAssetTrack) {
        self.track = track
        super.init([track]) { ranges in StoredSampleReader(track, ranges, asReferences: true) }
    }
}
