import Foundation
import MediaCodecs

// Audio tracks of old QuickTime files, whose sample tables describe frames instead of packets (QTFF, "Sound Sample
// Description (Version 1)").
extension MovieMapReader {
    /// Returns the size of one sample in bytes. Old QuickTime files specify 1 for all uncompressed audio; in that case
    /// it is the size of a frame.
    static func frameSize(_ entry: SampleEntry?, _ commonSize: UInt32) -> UInt32 {
        guard commonSize == 1, let entry, let linear = LinearFormat(entry), case .audio(let audio) = entry.content
        else {
            return commonSize
        }
        return UInt32(clamping: max(1, linear.bitsPerChannel / 8 * audio.channelCount))
    }
}

extension MovieMapReader.SampleTableContents {
    /// Converts the table of a compressed format with packets of a fixed size, if it lists each decoded frame as a sample
    /// of duration 1, to a table of packets.
    mutating func convertFramesToPackets(of track: TrackMap) {
        guard sizes.list.isEmpty, durations.runs.allSatisfy({ $0.value == 1 }), let entry = track.sampleEntries.first,
            !entry.isPCM, case .audio(let audio) = entry.content, audio.framesPerPacket > 1,
            let byteCount = UInt32(exactly: audio.bytesPerPacket), byteCount > 0
        else { return }
        let frameCount = Int64(audio.framesPerPacket)
        func packetCount(_ count: Int64) -> Int64 { (count + frameCount - 1) / frameCount }
        sizes.common = byteCount
        sizes.declaredCount = packetCount(sizes.declaredCount)
        durations = MovieMapReader.RunTable(
            [(count: UInt32(clamping: sizes.declaredCount), value: UInt32(clamping: frameCount))])
        for index in chunkRuns.indices {
            chunkRuns[index].sampleCount = UInt32(clamping: packetCount(Int64(chunkRuns[index].sampleCount)))
        }
    }
}
