import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets
@testable import MediaEditing

/// Compositions, images and exports of movies with any track matrix.
final class OrientedCompositionTests: XCTestCase {
    func testACompositionWithThePropertiesOfAnAssetIsUprightInAllOrientations() throws {
        let fixture = try AssetWriterFixture()
        let url = fixture.url("a.mov")
        try QuadrantMovie.write(url)
        for orientation in QuadrantMovie.orientations {
            let translation = orientation.translation(width: 160, height: 120)
            for matrix in [orientation.matrix, orientation.matrix + translation, orientation.matrix + [300, 200]] {
                try QuadrantMovie.setMatrix(matrix, of: url)
                let asset = fixture.asset("a.mov")
                let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
                let size = orientation.swapsSides ? CGSize(width: 120, height: 160) : CGSize(width: 160, height: 120)
                XCTAssertEqual(composition.renderSize, size, "\(orientation.name) \(matrix)")
                let compositor = try VideoCompositor(composition, of: asset)
                for format in [nil, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange] {
                    let frame = try compositor.frame(at: .zero, format: format)
                    XCTAssertEqual(try quadrants(of: frame), orientation.upright, "\(orientation.name) \(matrix)")
                }
            }
        }
    }

    func testAnEditedRotatedTrackIsUpright() throws {
        let fixture = try AssetWriterFixture()
        try QuadrantMovie.write(fixture.url("a.mov"))
        let (asset, composition) = (fixture.asset("a.mov"), fixture.system.run { AVMutableComposition() })
        try composition.insertTimeRange(CMTimeRange(start: .zero, duration: asset.duration), of: asset, at: .zero)
        try XCTUnwrap(composition.tracks(withMediaType: .video).first).preferredTransform =
            CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        let video = fixture.system.run { AVMutableVideoComposition(propertiesOf: composition) }
        XCTAssertEqual(video.renderSize, CGSize(width: 120, height: 160))
        let frame = try VideoCompositor(video, of: composition).frame(at: .zero)
        XCTAssertEqual(try quadrants(of: frame), "BRWG")
    }

    func testImagesAreUprightInAllOrientations() throws {
        let fixture = try AssetWriterFixture()
        let url = fixture.url("a.mov")
        try QuadrantMovie.write(url, filter: "setsar=4/3")
        for orientation in QuadrantMovie.orientations {
            try QuadrantMovie.setMatrix(orientation.matrix, of: url)
            let generator = AVAssetImageGenerator(asset: fixture.asset("a.mov"))
            generator.appliesPreferredTrackTransform = true
            let image = try generator.copyCGImage(at: .zero, actualTime: nil)
            XCTAssertEqual(try quadrants(of: image.pixelBuffer), orientation.upright, orientation.name)
            XCTAssertEqual(orientation.swapsSides ? image.height : image.width, 213, orientation.name)
        }
    }

    func testAnExportKeepsThePixelAspectRatio() throws {
        let fixture = try AssetWriterFixture()
        try QuadrantMovie.write(fixture.url("a.mov"), filter: "setsar=64/45")
        let session = try fixture.export(fixture.asset("a.mov"), AVAssetExportPresetHighestQuality, "b.mov") { _ in }
        XCTAssertEqual(session.status, .completed, "\(String(describing: session.error))")
        let lines = try FFprobe.lines(["-show_entries", "stream=width,sample_aspect_ratio"], fixture.url("b.mov"))
        XCTAssertEqual(lines.first, ["160", "64:45"])
    }

    func testAComposedFrameHasSquarePixels() throws {
        let fixture = try AssetWriterFixture()
        let url = fixture.url("a.mov")
        // ffmpeg writes the encoded size to the track header of a QuickTime file, and the displayed size to that of an MPEG-4
        // file.
        try QuadrantMovie.write(url, filter: "setsar=64/45")
        XCTAssertEqual(fixture.asset("a.mov").tracks.firstVideoTrack?.naturalSize, CGSize(width: 160, height: 120))
        for orientation in QuadrantMovie.orientations {
            let translation = orientation.translation(width: 160, height: 120)
            for matrix in [orientation.matrix, orientation.matrix + translation] {
                try QuadrantMovie.setMatrix(matrix, of: url)
                let asset = fixture.asset("a.mov")
                let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
                let size = orientation.swapsSides ? CGSize(width: 120, height: 228) : CGSize(width: 228, height: 120)
                XCTAssertEqual(composition.renderSize, size, "\(orientation.name) \(matrix)")
                let compositor = try VideoCompositor(composition, of: asset)
                for format in [nil, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange] {
                    let frame = try compositor.frame(at: .zero, format: format)
                    XCTAssertEqual(try quadrants(of: frame), orientation.upright, "\(orientation.name) \(matrix)")
                }
            }
        }
        try QuadrantMovie.write(fixture.url("b.mp4"), filter: "setsar=64/45")
        let asset = fixture.asset("b.mp4")
        let composition = fixture.system.run { AVMutableVideoComposition(propertiesOf: asset) }
        XCTAssertEqual(composition.renderSize, CGSize(width: 228, height: 120))
    }

    /// Returns the colors of the quadrants of a buffer.
    private func quadrants(of buffer: CVPixelBuffer) throws -> String {
        let image = try XCTUnwrap(
            CVPixelBuffer(width: buffer.width, height: buffer.height, pixelFormat: kCVPixelFormatType_32BGRA))
        try PixelConverter().convert(buffer, to: image)
        return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            let pixel = image.pixel(x * image.width / 4, y * image.height / 4)
            switch pixel.prefix(3).map({ $0 > 128 }) {
            case [false, false, true]: return "R"
            case [false, true, false]: return "G"
            case [true, false, false]: return "B"
            case [true, true, true]: return "W"
            default: return "?"
            }
        }.joined()
    }
}
