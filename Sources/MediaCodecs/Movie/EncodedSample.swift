package import Foundation
package import MediaTypes

/// A compressed frame or packet, or several uncompressed audio frames, for a movie.
package struct EncodedSample: Sendable {
    /// The encoded bytes. For H.264 and HEVC, NAL units with four-byte lengths (ISO/IEC 14496-15, 5.2.3).
    package var data: Data
    /// The presentation time on the movie's timeline.
    ///
    /// Samples before zero are decoded but not presented, such as the priming of AAC.
    package var presentationTime: CMTime
    /// The decode time; ascending within a track. It can be after `presentationTime`.
    package var decodeTime: CMTime
    /// The time until the next sample. Movies replace it with the difference of the decode times.
    package var duration: CMTime
    /// Whether decoding can start here.
    package var isKeyFrame: Bool
    /// Whether no other sample depends on this one.
    package var isDroppable: Bool
    /// The number of media samples in `data`, all of the same size: the number of frames for PCM, otherwise 1.
    package var sampleCount: Int
    /// The index of the sample's format in the formats of its track.
    package var formatIndex = 0

    /// Creates a sample.
    ///
    /// - Parameter decodeTime: nil for the presentation time.
    package init(
        data: Data, presentationTime: CMTime, decodeTime: CMTime? = nil, duration: CMTime,
        isKeyFrame: Bool = true, isDroppable: Bool = false, sampleCount: Int = 1
    ) {
        self.data = data
        self.presentationTime = presentationTime
        self.decodeTime = decodeTime ?? presentationTime
        self.duration = duration
        self.isKeyFrame = isKeyFrame
        self.isDroppable = isDroppable
        self.sampleCount = sampleCount
    }
}
