import Foundation
import MediaCodecs
import MediaMeasurements
import Testing

/// Compares a picture with the requirements of a test.
struct PictureCheck {
    /// The failures that a test reports, and the pictures that show them.
    struct Failures {
        var messages: [String] = []
        /// The checked picture, the golden pictures and the differences, as PNG files with their names.
        var pictures: [(name: String, data: Data)] = []
    }

    /// The environment variable that permits writing golden pictures if its value is `1`.
    private static let writingVariable = "OBSCURA_WRITE_GOLDEN_PICTURES"

    let requirements: [PictureRequirement]
    /// The source file of the test.
    let file: String
    let line: Int
    var writesGoldens = ProcessInfo.processInfo.environment[Self.writingVariable] == "1"

    /// Checks a picture against the requirements. If one is not met, writes the pictures to the folder of reports.
    ///
    /// A picture that cannot be read is a failure.
    func failures(of source: () throws -> any MeasurablePicture) -> Failures {
        var failures = Failures()
        let measured: MeasuredPicture
        do {
            measured = try source().measuredPicture()
        } catch {
            failures.messages = ["the picture cannot be read: \(error)"]
            return failures
        }
        var goldens: [URL] = []
        for requirement in requirements {
            if let golden = requirement.golden {
                guard let message = message(measured, requirement, URL(golden: golden, of: file)) else { continue }
                failures.messages.append(message)
                goldens.append(URL(golden: golden, of: file))
            } else if let message = message(
                measured, requirement.expectation, goldenFolder: URL(fileURLWithPath: "/"))
            {
                // The folder of golden pictures is not read, since the requirement has none.
                failures.messages.append(message)
            }
        }
        if !failures.messages.isEmpty { report(measured, goldens, &failures) }
        return failures
    }

    /// Describes the unmet parts of an expectation; nil if it is met.
    private func message(
        _ measured: MeasuredPicture, _ expectation: PictureExpectation, goldenFolder: URL
    ) -> String? {
        do {
            let unmet = try expectation.results(of: measured.picture, goldenFolder: goldenFolder).filter { !$0.isMet }
            return unmet.isEmpty
                ? nil : unmet.map { "expected \($0.expected), seen: \($0.seen)" }.joined(separator: "; ")
        } catch {
            return "the picture cannot be measured: \(error)"
        }
    }

    // MARK: Golden pictures

    /// Compares a picture with a golden picture, and describes the failure; nil if there is none.
    ///
    /// If `writesGoldens` is true, a golden picture that is missing or differs is written, which is also a failure.
    private func message(_ measured: MeasuredPicture, _ requirement: PictureRequirement, _ golden: URL) -> String? {
        var expectation = requirement.expectation
        expectation.golden = golden.lastPathComponent
        let exists = FileManager.default.fileExists(atPath: golden.path)
        let message =
            exists ? self.message(measured, expectation, goldenFolder: golden.deletingLastPathComponent()) : nil
        if exists, message == nil { return nil }
        if writesGoldens { return write(measured, to: golden) }
        return message
            ?? "there is no golden picture \(golden.path); look at the picture of this failure, and if it is "
            + "right, run the test once with \(Self.writingVariable)=1, which writes it"
    }

    /// Writes a golden picture, and returns the message of the test's failure.
    private func write(_ measured: MeasuredPicture, to golden: URL) -> String {
        do {
            let data: Data
            if golden.pathExtension.lowercased() == "png" {
                data = try PNGCodec().encode(measured.picture.pixels)
            } else if let file = measured.file, file.starts(with: [0xFF, 0xD8]) {
                data = file
            } else {
                return "the golden picture \(golden.path) cannot be written: only the contents of a JPEG file are kept "
                    + "in one; give it a name that ends with .png"
            }
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: golden)
            return "the golden picture \(golden.path) was written; look at it, and run the test again without "
                + Self.writingVariable
        } catch {
            return "the golden picture \(golden.path) cannot be written: \(error)"
        }
    }

    // MARK: Report

    /// Writes the checked picture, and each golden picture with an image of the differences.
    ///
    /// The last message is extended by the location of the files, or by the error that prevented writing them.
    private func report(_ measured: MeasuredPicture, _ goldens: [URL], _ failures: inout Failures) {
        let name = "\(URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent)-\(line)"
        do {
            failures.pictures.append(("\(name)-seen.png", try PNGCodec().encode(measured.picture.pixels)))
            for (index, url) in goldens.enumerated() where FileManager.default.fileExists(atPath: url.path) {
                let golden = try Picture(photo: url)
                let name = goldens.count == 1 ? name : "\(name)-\(index + 1)"
                failures.pictures.append(("\(name)-expected.png", try PNGCodec().encode(golden.pixels)))
                if let difference = measured.picture.difference(to: golden) {
                    failures.pictures.append(("\(name)-difference.png", try PNGCodec().encode(difference)))
                }
            }
            let folder = TestReport.pictureFolder
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, data) in failures.pictures { try data.write(to: folder.appendingPathComponent(name)) }
            let names = failures.pictures.map(\.name).joined(separator: ", ")
            failures.messages[failures.messages.count - 1] += "\nthe pictures are in \(folder.path): \(names)"
        } catch {
            failures.messages[failures.messages.count - 1] += "\nthe pictures cannot be written: \(error)"
        }
    }
}

extension URL {
    /// The location of a golden picture.
    ///
    /// - Parameters:
    ///   - path: A path, relative to the folder of the source file if it is not absolute.
    ///   - file: The source file of the test.
    fileprivate init(golden path: String, of file: String) {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        self =
            path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path).standardizedFileURL
    }
}

extension TestReport {
    /// The folder for the pictures of the running test: `pictures/TEST` in the folder of reports.
    ///
    /// It is not inside the test's report, which is written when the test ends and replaces an earlier one.
    static var pictureFolder: URL {
        let name = Test.current.map { RunningTests.name($0, Test.Case.current) } ?? RunningTests.shared.current?.name
        let report = TestReport(test: name ?? "unknown test").folder
        return report.deletingLastPathComponent().appendingPathComponent("pictures", isDirectory: true)
            .appendingPathComponent(report.lastPathComponent, isDirectory: true)
    }
}
