import CaptureHAL
import Foundation
import MediaCodecs
import MediaStorage
import MediaTypes
import SimDevices
import TestSupport
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Tests the movies of Live Photos.
final class LivePhotoTests: XCTestCase {
    private let complete = ["begin", "will", "did", "photo", "recorded", "movie", "end"]

    func testAMovieHasOneAndAHalfSecondsBeforeAndAfterThePhoto() throws {
        let fixture = try LivePhotoFixture()
        let photos = fixture.livePhoto(fixture.settings())
        fixture.capture.assertNoMisuse()
        XCTAssertEqual(photos.events, complete)
        let movie = try XCTUnwrap(photos.movies.first)
        let photo = try XCTUnwrap(photos.photos.first)
        XCTAssertNil(movie.error)
        XCTAssertEqual(movie.duration.seconds, 3, accuracy: 0.034)
        XCTAssertEqual(movie.displayTime.seconds, 1.5, accuracy: 0.034)
        XCTAssertEqual(photo.resolvedSettings.livePhotoMovieDimensions.width, 640)
        XCTAssertEqual(photo.resolvedSettings.livePhotoMovieDimensions.height, 480)
        let decoded = try fixture.decode()
        XCTAssertEqual(decoded.videoCodec, "h264")
        assertCount(decoded.frames.filter { $0.time >= .zero }.count, 90, tolerance: 1)
        // The frame that the movie shows at the time of the photo is the photo.
        func distance(_ frame: DecodedMovie.Frame) -> Double { abs((frame.time - movie.displayTime).seconds) }
        let still = try XCTUnwrap(decoded.frames.min { distance($0) < distance($1) })
        let marker = try XCTUnwrap(still.marker)
        XCTAssertEqual(marker.time.seconds, photo.timestamp.seconds, accuracy: 0.001)
        XCTAssertEqual(decoded.sampleRate, 48000)
        XCTAssertEqual(Double(decoded.audioSamples.count) / 48000, movie.duration.seconds, accuracy: 0.002)
    }

    func testAnotherReaderSeesTheTracksAndTheIdentifier() throws {
        let fixture = try LivePhotoFixture()
        let settings = fixture.settings()
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "A walk" as NSString
        settings.livePhotoMovieMetadata = [title]
        let photos = fixture.livePhoto(settings)
        let streams = try fixture.streams()
        XCTAssertEqual(streams.count, 3, "\(streams)")
        XCTAssertTrue(streams[0].hasPrefix("h264,video,avc1,640,480,3.0"), streams[0])
        XCTAssertTrue(streams[1].hasPrefix("pcm_s16le,audio,"), streams[1])
        XCTAssertTrue(streams[2].contains("data,mebx"), streams[2])
        let tags = try ExternalTool.run(
            "ffprobe", ["-v", "error", "-show_entries", "format_tags", fixture.capture.url("a.mov").path]
        ).text
        XCTAssertTrue(tags.contains("A walk"), tags)
        let map = try MovieMap(reading: DiskStorage().open(fixture.capture.url("a.mov"), for: .reading))
        let entry = map.metadata.first { $0.key == LivePhotoMovie.contentIdentifierKey }
        guard case .text(let identifier)? = entry?.value else { return XCTFail("no identifier") }
        XCTAssertNotNil(UUID(uuidString: identifier))
        XCTAssertEqual(identifier, identifier.uppercased())
        let note = photos.photos.first?.metadata[kCGImagePropertyMakerAppleDictionary] as? [String: Any]
        XCTAssertEqual(note?["17"] as? String, identifier)
        let exif = try ExternalTool.run("exiftool", ["-ee", "-G1", "-s", fixture.capture.url("a.mov").path]).text
        XCTAssertTrue(exif.contains("StillImageTime"), exif)
    }

    func testTheSameSeedResultsInTheSameMovie() throws {
        let movies = try (0..<2).map { _ in
            let fixture = try LivePhotoFixture()
            _ = fixture.livePhoto(fixture.settings())
            return try Data(contentsOf: fixture.capture.url("a.mov"))
        }
        XCTAssertEqual(movies[0], movies[1])
    }

    func testAMovieHasTheRequestedCodecEvenIfTheEarlierFramesHaveAnother() throws {
        let fixture = try LivePhotoFixture(microphone: nil)
        XCTAssertEqual(fixture.output.availableLivePhotoVideoCodecTypes, [.hevc, .h264])
        let photos = fixture.livePhoto(fixture.settings(codec: .hevc))
        XCTAssertEqual(photos.events, complete)
        let streams = try fixture.streams()
        XCTAssertTrue(streams[0].hasPrefix("hevc,video,hvc1,640,480,3.0"), streams[0])
        let decoded = try fixture.decode()
        assertCount(decoded.frames.count, 90, tolerance: 1)
        let markers = decoded.frames.compactMap { $0.marker?.counter }
        XCTAssertEqual(markers.count, decoded.frames.count)
        XCTAssertEqual(markers, (0..<UInt32(markers.count)).map { $0 + (markers.first ?? 0) })
    }

    func testAMovieWithoutMicrophoneOrWithADisabledAudioConnectionIsSilent() throws {
        for hasMicrophone in [false, true] {
            let fixture = try LivePhotoFixture(microphone: hasMicrophone ? "phone.microphone" : nil)
            fixture.output.connection(with: .audio)?.isEnabled = false
            fixture.capture.advance(milliseconds: 2000)
            XCTAssertEqual(fixture.livePhoto(fixture.settings()).events, complete)
            XCTAssertEqual(try fixture.streams().filter { $0.contains("audio") }, [])
        }
    }

    func testMoviesOfAdjacentPhotosOverlap() throws {
        let fixture = try LivePhotoFixture()
        let photos = RecordingPhotos()
        fixture.output.capturePhoto(with: fixture.settings("a.mov"), delegate: photos)
        fixture.capture.advance(milliseconds: 500)
        fixture.output.capturePhoto(with: fixture.settings("b.mov"), delegate: photos)
        fixture.capture.advance(milliseconds: 2500)
        XCTAssertEqual(
            photos.events,
            ["begin", "will", "did", "photo", "begin", "will", "did", "photo"]
                + ["recorded", "movie", "end", "recorded", "movie", "end"])
        XCTAssertEqual(photos.movies.map(\.url.lastPathComponent), ["a.mov", "b.mov"])
        let first = try fixture.decode("a.mov").frames.compactMap { $0.marker?.counter }
        let second = try fixture.decode("b.mov").frames.compactMap { $0.marker?.counter }
        assertCount(Set(first).intersection(second).count, 75, tolerance: 17)
    }

    func testSuspendingEndsMoviesAndLaterOnesContainNothingEarlier() throws {
        let fixture = try LivePhotoFixture()
        let photos = RecordingPhotos()
        fixture.output.capturePhoto(with: fixture.settings(), delegate: photos)
        fixture.capture.advance(milliseconds: 600)
        fixture.output.isLivePhotoCaptureSuspended = true
        fixture.capture.advance(milliseconds: 1)
        XCTAssertEqual(photos.events, complete)
        XCTAssertEqual(try XCTUnwrap(photos.movies.first).duration.seconds, 2.07, accuracy: 0.07)
        let message = fixture.capture.assertMisuse(.invalidArgument) {
            fixture.output.capturePhoto(with: fixture.settings("b.mov"), delegate: photos)
        }
        XCTAssertTrue(message.contains("isLivePhotoCaptureSuspended"), message)
        fixture.capture.advance(milliseconds: 1000)
        fixture.output.isLivePhotoCaptureSuspended = false
        let resumed = fixture.capture.clock.now
        fixture.capture.advance(milliseconds: 400)
        let later = fixture.livePhoto(fixture.settings("c.mov"))
        let movie = try XCTUnwrap(later.movies.first)
        XCTAssertEqual(movie.displayTime.seconds, 0.43, accuracy: 0.07)
        XCTAssertEqual(movie.duration.seconds, movie.displayTime.seconds + 1.5, accuracy: 0.034)
        for frame in try fixture.decode("c.mov").frames {
            XCTAssertGreaterThan(try XCTUnwrap(frame.marker).time.seconds, resumed.seconds - 0.034)
        }
    }

    func testSuspensionEndsWhenTheSessionStopsUnlessItIsPreserved() throws {
        let fixture = try LivePhotoFixture()
        fixture.output.isLivePhotoCaptureSuspended = true
        fixture.session.stopRunning()
        XCTAssertFalse(fixture.output.isLivePhotoCaptureSuspended)
        fixture.session.startRunning()
        fixture.output.preservesLivePhotoCaptureSuspendedOnSessionStop = true
        fixture.output.isLivePhotoCaptureSuspended = true
        fixture.session.stopRunning()
        XCTAssertTrue(fixture.output.isLivePhotoCaptureSuspended)
        fixture.capture.assertNoMisuse()
    }

    func testAPhotoAtTheStartHasAShorterMovie() throws {
        let fixture = try LivePhotoFixture(isRunning: false)
        fixture.session.startRunning()
        let movie = try XCTUnwrap(fixture.livePhoto(fixture.settings()).movies.first)
        XCTAssertLessThan(movie.displayTime.seconds, 0.2)
        XCTAssertEqual(movie.duration.seconds, movie.displayTime.seconds + 1.5, accuracy: 0.034)
    }
}

/// Asserts that a count is close to another one.
private func assertCount(
    _ count: Int, _ expected: Int, tolerance: Int, file: StaticString = #filePath, line: UInt = #line
) {
    XCTAssertTrue(
        abs(count - expected) <= tolerance, "\(count) is not \(expected) ± \(tolerance)", file: file, line: line)
}
