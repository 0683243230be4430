import CoreLocation
import Foundation
import XCTest

@testable import PhotoStore

final class MovieFrameTests: PhotoLibraryTestCase {
    /// Imports a movie and returns the location of its asset.
    private func location(_ name: String, _ arguments: [String]) throws -> CLLocation? {
        let system = makeSystem(library: folder.appendingPathComponent("library of \(name)"))
        try saveMovie(makeMovie(name, arguments: arguments), in: system)
        return try XCTUnwrap(assets(in: system).first).location
    }

    func testTheLocationIsReadFromQuickTimeMPEG4AndMatroskaMovies() throws {
        let (text, key) = ("+48.8577-002.2950+035.000/", "com.apple.quicktime.location.ISO6709")
        let movies: [(name: String, arguments: [String])] = [
            ("text.mov", ["-metadata", "location=\(text)"]),
            ("item.mov", ["-movflags", "use_metadata_tags", "-metadata", "\(key)=\(text)"]),
            ("loci.mp4", ["-metadata", "location=\(text)"]), ("tag.mkv", ["-metadata", "location=\(text)"]),
        ]
        for (name, arguments) in movies {
            let location = try XCTUnwrap(location(name, arguments), name)
            XCTAssertEqual(location.coordinate.latitude, 48.8577, accuracy: 1e-4, name)
            XCTAssertEqual(location.coordinate.longitude, -2.295, accuracy: 1e-4, name)
            XCTAssertEqual(location.altitude, 35, accuracy: 1e-4, name)
        }
    }

    func testTheTimelineOfAMatroskaMovieBeginsAtZero() throws {
        let system = makeSystem()
        try saveMovie(makeMovie("late.mkv", arguments: ["-output_ts_offset", "10"]), in: system)
        try saveMovie(makeMovie("late.mov", arguments: ["-output_ts_offset", "10"]), in: system)
        let durations = assets(in: system).map(\.duration)
        XCTAssertEqual(durations.count, 2)
        XCTAssertGreaterThan(durations[0], 10)
        XCTAssertEqual(durations[0], durations[1], accuracy: 0.05)
    }

    func testMoviesWithoutADecoderAreStoredWithoutAThumbnail() throws {
        let system = makeSystem()
        let encryption = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        let encrypted = try makeMovie(
            "encrypted.mp4",
            arguments: encryption + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", "-vf", "setsar=4/3"])
        let unknown = try makeMovie("unknown.mov")
        var data = try Data(contentsOf: unknown)
        data.replaceSubrange(try XCTUnwrap(data.range(of: Data("avc1".utf8), options: .backwards)), with: "none".utf8)
        try data.write(to: unknown)
        for url in [encrypted, unknown] { try saveMovie(url, in: system) }
        let assets = assets(in: system)
        XCTAssertEqual(assets.map(\.pixelWidth), [85, 64])
        XCTAssertEqual(assets.map(\.pixelHeight), [48, 48])
        XCTAssertEqual(assets.map(\.duration), [1, 1])
        let reasons = try assets.map { try XCTUnwrap($0.missingThumbnailReason()) }
        XCTAssertTrue(reasons[0].contains("is protected: it is encrypted (encv)"), reasons[0])
        XCTAssertTrue(reasons[1].contains("decoded"), reasons[1])
        // Without its index, nothing is known of a movie.
        let cut = folder.appendingPathComponent("cut.mov")
        try data.prefix(400).write(to: cut)
        XCTAssertThrowsError(try saveMovie(cut, in: system))
    }

    func testLocationsHaveTheFormatsOfISO6709() throws {
        let texts: [(text: String, degrees: [Double]?)] = [
            ("-27.5+086.25/", [-27.5, 86.25]), ("+4830.6-00215.00/", [48.51, -2.25]),
            ("+483018+0021536.0/", [48.505, 2.26]), ("somewhere", nil), ("+91+002/", nil), ("+48", nil),
        ]
        for (index, (text, degrees)) in texts.enumerated() {
            let location = try location("\(index).mov", ["-metadata", "location=\(text)"])
            guard let degrees else {
                XCTAssertNil(location, text)
                continue
            }
            let coordinate = try XCTUnwrap(location, text).coordinate
            XCTAssertEqual(coordinate.latitude, degrees[0], accuracy: 1e-6, text)
            XCTAssertEqual(coordinate.longitude, degrees[1], accuracy: 1e-6, text)
        }
    }
}
