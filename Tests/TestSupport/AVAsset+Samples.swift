package import AssetTypes
package import MediaAssets
package import MediaTypes
import SimDevices
import XCTest

extension AVAsset {
    /// Reads all samples of the first track of a media type.
    package func samples(
        _ type: AVMediaType, _ settings: [String: Any]?, _ range: CMTimeRange? = nil
    ) throws -> [CMSampleBuffer] {
        let reader = try AVAssetReader(asset: self)
        if let range { reader.timeRange = range }
        let output = AVAssetReaderTrackOutput(
            track: try XCTUnwrap(tracks(withMediaType: type).first), outputSettings: settings)
        reader.add(output)
        XCTAssertTrue(reader.startReading(), "\(String(describing: reader.error))")
        let samples = output.drain()
        XCTAssertEqual(reader.status, .completed, "\(path): \(String(describing: reader.error))")
        return samples
    }
}

extension CMSampleBuffer {
    /// The frame number in the image's marker.
    package var counter: UInt32? { imageBuffer.flatMap(FrameMarker.read(from:))?.counter }
}
