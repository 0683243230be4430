package import AssetTypes
import Foundation
package import MediaAssets
package import MediaEditing
package import MediaTypes
import XCTest

extension AssetWriterFixture {
    /// Writes a movie of numbered frames, and returns it as an asset.
    ///
    /// - Parameters:
    ///   - name: The name of the file in the temporary folder; the extension is `mov`.
    ///   - numbers: The frame numbers that the markers of the frames contain.
    ///   - input: The input to write with; nil for one with H.264.
    package func movie(
        _ name: String, _ numbers: Range<Int>, framesPerSecond: CMTimeScale = 30, _ input: AVAssetWriterInput? = nil
    ) throws -> AVAsset {
        let writer = try makeWriter(name)
        let input = input ?? makeVideoInput()
        system.run { writer.add(input) }
        XCTAssertTrue(writer.startWriting(), "\(String(describing: writer.error))")
        writer.startSession(atSourceTime: Self.start)
        for (index, number) in numbers.enumerated() {
            input.append(
                try Self.videoSample(
                    number, at: CMTime(value: Int64(index), timescale: framesPerSecond),
                    duration: CMTime(value: 1, timescale: framesPerSecond)))
        }
        finish(writer)
        return asset(name)
    }

    /// Returns a file in the temporary folder as an asset.
    package func asset(_ name: String) -> AVAsset { system.run { AVURLAsset(url: url(name)) } }

    /// Exports an asset to a file in the temporary folder, and returns the finished session.
    ///
    /// - Parameter prepare: Changes further settings.
    package func export(
        _ asset: AVAsset, _ preset: String, _ name: String, _ type: AVFileType = .mov,
        _ prepare: (AVAssetExportSession) -> Void = { _ in }, file: StaticString = #filePath, line: UInt = #line
    ) throws -> AVAssetExportSession {
        let session = try XCTUnwrap(AVAssetExportSession(asset: asset, presetName: preset), file: file, line: line)
        session.outputURL = url(name)
        session.outputFileType = type
        prepare(session)
        let completionCount = Lock(0)
        session.exportAsynchronously { completionCount.withLock { $0 += 1 } }
        settle()
        XCTAssertEqual(completionCount.withLock { $0 }, 1, file: file, line: line)
        return session
    }
}
