// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The assertions follow the naming of XCTest.

public import Testing
import XCTest

/// Asserts properties of a picture: brightness, colors, sharpness, codes, or the likeness to a golden picture.
///
/// ```swift
/// XCTAssertPicture(photo, .size(width: 480, height: 640), .neutral(accuracy: 0.02), .golden("gray.png", psnr: 40))
/// ```
/// Each property that the picture does not have is a failure. The picture of a failure is written to the folder of
/// reports, with the golden picture and the differences if there are any. A missing golden picture is a failure;
/// `OBSCURA_WRITE_GOLDEN_PICTURES=1` writes it.
///
/// - Parameters:
///   - picture: A pixel buffer, `UIImage`, `CGImage`, or the contents or location of a JPEG or PNG file.
///   - requirements: The required properties.
///   - file: The file of a failure.
///   - line: The line of a failure.
public func XCTAssertPicture(
    _ picture: @autoclosure () throws -> any MeasurablePicture, _ requirements: PictureRequirement...,
    file: StaticString = #filePath, line: UInt = #line
) {
    let check = PictureCheck(requirements: requirements, file: "\(file)", line: Int(line))
    for failure in check.failures(of: picture).messages { XCTFail(failure, file: file, line: line) }
}

/// Expects properties of a picture, in a test of Swift Testing; otherwise as `XCTAssertPicture`. The pictures of a
/// failure are also attachments of the test.
///
/// - Parameters:
///   - picture: A pixel buffer, `UIImage`, `CGImage`, or the contents or location of a JPEG or PNG file.
///   - requirements: The required properties.
///   - sourceLocation: The location of a failure.
public func expectPicture(
    _ picture: @autoclosure () throws -> any MeasurablePicture, _ requirements: PictureRequirement...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let check = PictureCheck(
        requirements: requirements, file: sourceLocation.filePath, line: sourceLocation.line)
    let failures = check.failures(of: picture)
    for (name, data) in failures.pictures {
        Attachment.record([UInt8](data), named: name, sourceLocation: sourceLocation)
    }
    for failure in failures.messages {
        Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
    }
}
