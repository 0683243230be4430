package import AVFoundation
import XCTest

/// A finished movie with its first video and audio tracks.
package struct MovieFile {
    /// A compressed frame.
    package struct Frame {
        /// The time in the movie in seconds.
        package let time: Double
        package let isKeyFrame: Bool
    }

    package let asset: AVURLAsset
    package let video: AVAssetTrack
    /// Nil if the movie has no audio track.
    package let audio: AVAssetTrack?

    package init(_ url: URL) throws {
        asset = AVURLAsset(url: url)
        video = try XCTUnwrap(asset.tracks(withMediaType: .video).first, "no video in \(url.lastPathComponent)")
        audio = asset.tracks(withMediaType: .audio).first
    }

    /// The duration in seconds.
    package var duration: Double { asset.duration.seconds }

    /// Returns the compressed frames in the order of their times.
    package func frames() throws -> [Frame] {
        try samples(of: video, nil).filter { $0.numSamples > 0 }.map { sample in
            let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
            let first = (attachments as? [[CFString: Any]])?.first
            let isDependent = first?[kCMSampleAttachmentKey_NotSync] as? Bool ?? false
            return Frame(time: sample.presentationTimeStamp.seconds, isKeyFrame: !isDependent)
        }.sorted { $0.time < $1.time }
    }

    /// Returns the number of frames that can be decoded.
    package func decodedFrameCount() throws -> Int {
        try samples(of: video, [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
            .filter { $0.imageBuffer != nil }.count
    }

    /// Returns the greatest amplitude of the audio in a time range in seconds, between 0 and 1.
    package func peak(_ range: Range<Double>) throws -> Double {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
            AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
        ]
        var peak = 0
        for sample in try samples(of: XCTUnwrap(audio), settings) where sample.numSamples > 0 {
            guard let data = sample.dataBuffer else { continue }
            let start = sample.presentationTimeStamp.seconds
            let step = sample.duration.seconds / Double(sample.numSamples)
            var values = [Int16](repeating: 0, count: data.dataLength / 2)
            CMBlockBufferCopyDataBytes(data, atOffset: 0, dataLength: values.count * 2, destination: &values)
            let channels = values.count / sample.numSamples
            for (index, value) in values.enumerated() where range.contains(start + Double(index / channels) * step) {
                peak = max(peak, abs(Int(value)))
            }
        }
        return Double(peak) / 32768
    }

    /// Returns the upright frame at a time in seconds.
    package func image(at seconds: Double = 0) throws -> CGImage {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        return try generator.copyCGImage(at: CMTime(seconds: seconds, preferredTimescale: 600), actualTime: nil)
    }

    /// Returns the mean green component of the first frame, 0 … 255.
    package func brightness() throws -> Double { try image().mean().green }

    private func samples(of track: AVAssetTrack, _ settings: [String: Any]?) throws -> [CMSampleBuffer] {
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
        reader.add(output)
        XCTAssertTrue(reader.startReading())
        var samples: [CMSampleBuffer] = []
        while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
        XCTAssertEqual(reader.status, .completed, "\(String(describing: reader.error))")
        return samples
    }
}

extension CGImage {
    /// Returns the mean blue, green and red components of a part of the image, 0 … 255. The part is a rectangle in the
    /// unit square.
    package func mean(_ part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1)) throws -> (
        blue: Double, green: Double, red: Double
    ) {
        let data = try XCTUnwrap(dataProvider?.data) as Data
        let columns = Int(part.minX * CGFloat(width))..<Int(part.maxX * CGFloat(width))
        let rows = Int(part.minY * CGFloat(height))..<Int(part.maxY * CGFloat(height))
        var sums = [0, 0, 0]
        for row in rows {
            for column in columns {
                let pixel = row * bytesPerRow + 4 * column
                for color in 0..<3 { sums[color] += Int(data[data.startIndex + pixel + color]) }
            }
        }
        let count = Double(columns.count * rows.count)
        return (Double(sums[0]) / count, Double(sums[1]) / count, Double(sums[2]) / count)
    }

    /// Returns the mean green component of the upper half minus that of the lower half, −255 … 255.
    package func upperMinusLowerBrightness() throws -> Double {
        try mean(CGRect(x: 0, y: 0, width: 1, height: 0.5)).green
            - mean(CGRect(x: 0, y: 0.5, width: 1, height: 0.5)).green
    }
}
