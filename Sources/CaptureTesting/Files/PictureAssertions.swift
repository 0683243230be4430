// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import Testing
import XCTest

/// Asserts properties of a picture: brightness, colors, sharpness, codes, or the similarity to a golden picture.
///
/// ```swift
/// XCTAssertPicture(photo, .size(width: 480, height: 640), .neutral(accuracy: 0.02), .golden("gray.png", psnr: 40))
/// ```
/// Each property that the picture does not have is a failure. A picture that fails is written to the folder of reports,
/// with the golden picture and the differences, if any. A missing golden picture is a failure. If the environment
/// variable `OBSCURA_WRITE_GOLDEN_PICTURES` is 1, a golden picture that is missing or differs is written, and the
/// assertion still fails.
///
/// - Parameters:
///   - picture: A pixel buffer, `UIImage`, `CGImage`, or the contents or location of a JPEG or PNG file.
///   - requirements: The required properties.
///   - file: The file in which failures are recorded.
///   - line: The line on which failures are recorded.
public func XCTAssertPicture(
    _ picture: @autoclosure () throws -> any MeasurablePicture, _ requirements: PictureRequirement...,
    file: StaticString = #filePath, line: UInt = #line
) {
    let check = PictureCheck(requirements: requirements, file: "\(file)", line: Int(line))
    for failure in check.failures(of: picture).messages { XCTFail(failure, file: file, line: line) }
}

/// Expects properties of a picture, in a test of Swift Testing. This is the counterpart of `XCTAssertPicture`.
///
/// The pictures of a failure are also recorded as attachments of the test.
///
/// - Parameters:
///   - picture: A pixel buffer, `UIImage`, `CGImage`, or the contents or location of a JPEG or PNG file.
///   - requirements: The required properties.
///   - sourceLocation: The location at which failures are recorded.
public func expectPicture(
    _ picture: @autoclosure () throws -> any MeasurablePicture, _ requirements: PictureRequirement...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let check = PictureCheck(
        requirements: requirements, file: sourceLocation.path, line: sourceLocation.line)
    let failures = check.failures(of: picture)
    for (name, data) in failures.pictures {
        Attachment.record([UInt8](data), named: name, sourceLocation: sourceLocation)
    }
    for failure in failures.messages {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}
