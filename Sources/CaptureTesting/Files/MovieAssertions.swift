// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import Foundation
import MediaMeasurements
public import Testing
import XCTest

/// Asserts properties of a movie file: duration, frames, gaps, tracks, orientation, and whether it plays.
///
/// ```swift
/// XCTAssertMovie(url, .playable, .duration(2, accuracy: 0.05), .tracks(.video, .audio), .longestGap(0...0.034))
/// ```
/// Without requirements, the movie must play. Each property that the movie does not have is a failure.
///
/// - Parameters:
///   - movie: The location of the movie.
///   - requirements: The required properties.
///   - file: The file of a failure.
///   - line: The line of a failure.
public func XCTAssertMovie(
    _ movie: URL, _ requirements: MovieRequirement..., file: StaticString = #filePath, line: UInt = #line
) {
    for failure in MovieCheck.failures(of: movie, requirements) { XCTFail(failure, file: file, line: line) }
}

/// Expects properties of a movie file, in a test of Swift Testing. This is the counterpart of `XCTAssertMovie`.
///
/// - Parameters:
///   - movie: The location of the movie.
///   - requirements: The required properties.
///   - sourceLocation: The location of a failure.
public func expectMovie(
    _ movie: URL, _ requirements: MovieRequirement..., sourceLocation: SourceLocation = #_sourceLocation
) {
    for failure in MovieCheck.failures(of: movie, requirements) {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}

/// Compares a movie with the requirements of a test.
enum MovieCheck {
    /// Describes the properties that a movie does not have.
    static func failures(of movie: URL, _ requirements: [MovieRequirement]) -> [String] {
        let folder = movie.deletingLastPathComponent()
        var failures: [String] = []
        for requirement in requirements.isEmpty ? [.playable] : requirements {
            var expectation = MovieExpectation(movie: movie.lastPathComponent)
            requirement.set(&expectation)
            for result in expectation.results(in: folder) where !result.isMet {
                let failure = "\(movie.path): expected \(result.expected), seen: \(result.seen)"
                // Each requirement reports a file that cannot be read.
                if !failures.contains(failure) { failures.append(failure) }
            }
        }
        return failures
    }
}
