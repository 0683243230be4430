import Foundation
import MediaCodecs
import MediaTypes
import TestSupport
import XCTest

@testable import AssetTypes
@testable import MediaAssets

final class AVAssetChaptersTests: XCTestCase {
    /// Writes a second of silence with two chapters, whose titles have the language code `deu`.
    private func asset(_ fixture: AssetWriterFixture) throws -> AVAsset {
        let input = AudioStreamFormat(sampleRate: 48_000, channelCount: 1, sample: .int16)
        let encoder = try AudioEncoder(AudioEncoderSettings(codec: .pcm, input: input))
        let writer = try MovieFileWriter(
            url: fixture.url("a.mov"), storage: fixture.system.storage,
            configuration: MovieFileWriter.Configuration(container: .mov, fragmentInterval: .invalid))
        let track = try writer.addTrack(MovieTrackConfiguration(format: .audio(encoder.format), timescale: 48_000))
        let silence = [Int16](repeating: 0, count: 48_000)
        let samples = try silence.withUnsafeBytes { try encoder.encode($0, frameCount: silence.count) }
        for sample in try samples + encoder.finish() { try writer.append(sample, to: track) }
        writer.metadata.chapters = [
            MovieMetadata.Chapter(start: .zero, title: "Anfang"),
            MovieMetadata.Chapter(start: CMTime(value: 1, timescale: 2), title: "Ende"),
        ]
        try writer.finish()
        // The last track is that of the chapters. Its language code follows four fields of 32 bits and the flags.
        var data = try Data(contentsOf: fixture.url("a.mov"))
        let header = try XCTUnwrap(data.range(of: Data("mdhd".utf8), options: .backwards))
        let code: UInt16 = 4 << 10 | 5 << 5 | 21
        data[header.upperBound + 20] = UInt8(code >> 8)
        data[header.upperBound + 21] = UInt8(code & 0xff)
        try data.write(to: fixture.url("a.mov"))
        return fixture.asset("a.mov")
    }

    func testTheLanguageOfChaptersIsABCP47Tag() throws {
        let fixture = try AssetWriterFixture()
        let asset = try asset(fixture)
        XCTAssertEqual(asset.availableChapterLocales, [Locale(identifier: "de")])
        for language in ["deu", "de", "de-AT", "en"] {
            let chapters = asset.chapterMetadataGroups(bestMatchingPreferredLanguages: [language])
            XCTAssertEqual(chapters.map { $0.items.first?.stringValue }, ["Anfang", "Ende"], language)
            XCTAssertEqual(chapters.map { $0.items.first?.extendedLanguageTag }, ["de", "de"], language)
        }
        for (locale, count) in [("de", 2), ("deu", 2), ("en", 0)] {
            let chapters = asset.chapterMetadataGroups(
                withTitleLocale: Locale(identifier: locale), containingItemsWithCommonKeys: [])
            XCTAssertEqual(chapters.count, count, locale)
        }
    }
}
