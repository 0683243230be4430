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

    func testTheDateOfACameraWithoutAClockIsUnknown() throws {
        let system = makeSystem()
        for (index, text) in ["1904-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "0000-00-00T00:00:00Z"].enumerated() {
            let dates = ["com.apple.quicktime.creationdate=\(text)", "-metadata", "creation_time=2022-01-02T03:04:05Z"]
            let arguments = ["-movflags", "use_metadata_tags", "-metadata"] + dates
            try saveMovie(makeMovie("\(index).mov", arguments: arguments), in: system)
        }
        for asset in assets(in: system) {
            XCTAssertEqual(asset.creationDate, Date(timeIntervalSince1970: 1_641_092_645))
        }
    }

    func testMoviesWithoutADecoderAreStoredWithoutAThumbnail() throws {
        let system = makeSystem()
        let encryption = ["-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
        let encrypted = try makeMovie(
            "encrypted.mp4",
            arguments: encryption + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", "-vf", "setsar=4/3"])
        /// Makes a movie with another name of the codec.
        func makeUnknown(_ name: String, _ codec: String, _ other: String, _ arguments: [String] = []) throws -> URL {
            let url = try makeMovie(name, arguments: arguments)
            var data = try Data(contentsOf: url)
            while let range = data.range(of: Data(codec.utf8)) { data.replaceSubrange(range, with: other.utf8) }
            try data.write(to: url)
            return url
        }
        let date =
            ["-movflags", "use_metadata_tags", "-metadata"]
            + ["com.apple.quicktime.creationdate=2020-05-06T07:08:09+0200"]
        let unknown = try makeUnknown("unknown.mov", "avc1", "none", date)
        let others = [
            try makeUnknown("a.avi", "FMP4", "ZZ99", ["-c:v", "mpeg4"]), try makeUnknown("a.mkv", "V_MPEG4", "V_ZZZZ9"),
            try makeUnknown("sound.mkv", "V_MPEG4", "V_ZZZZ9", ["-filter_complex", "sine=d=1", "-map", "0:v"]),
        ]
        for url in [encrypted, unknown] + others { try saveMovie(url, in: system) }
        let assets = assets(in: system)
        XCTAssertEqual(assets.map(\.pixelWidth), [85, 64, 64, 64, 64])
        XCTAssertEqual(assets.map(\.pixelHeight), [48, 48, 48, 48, 48])
        for asset in assets { XCTAssertEqual(asset.duration, 1, accuracy: 0.05) }
        XCTAssertEqual(assets[1].creationDate, Date(timeIntervalSince1970: 1_588_741_689))
        let reasons = try assets.map { try XCTUnwrap($0.missingThumbnailReason()) }
        XCTAssertTrue(reasons[0].contains("is protected: it is encrypted (encv)"), reasons[0])
        for reason in reasons.dropFirst() {
            XCTAssertTrue(reason.contains("video track") || reason.contains("decoded"), reason)
        }
        // Without its index, nothing is known of a movie.
        let cut = folder.appendingPathComponent("cut.mov")
        try Data(contentsOf: unknown).prefix(400).write(to: cut)
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
