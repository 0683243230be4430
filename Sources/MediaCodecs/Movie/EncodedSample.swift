package import Foundation
package import MediaTypes

/// One compressed frame or packet, or a run of uncompressed sound frames, as it goes into a movie.
package struct EncodedSample: Sendable {
    /// H.264 and HEVC: NAL units, each behind its length in four bytes (ISO/IEC 14496-15, 5.2.3).
    package var data: Data
    /// The moment on the movie's timeline at which the sample is presented.
    ///
    /// What lies before zero is decoded and not presented, as the priming of AAC.
    package var presentationTime: CMTime
    /// The moment at which it is decoded; never after `presentationTime`, and ascending in a track.
    package var decodeTime: CMTime
    /// The time to the next sample; in a movie the next sample's decode time decides.
    package var duration: CMTime
    /// Whether decoding can start here.
    package var isKeyFrame: Bool
    /// Whether no other sample needs this one.
    package var isDroppable: Bool
    /// The number of media samples in `data`, all of the same size: PCM frames, else 1.
    package var sampleCount: Int

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
