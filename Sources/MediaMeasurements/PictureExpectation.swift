package import Foundation
import MediaCodecs
import MediaStorage

/// The properties that a test or scenario expects of a photo, or of a frame of a movie. A property that is nil is not
/// checked.
package struct PictureExpectation: Sendable, Hashable {
    /// The file name of the photo or movie.
    package var name: String
    /// The time of a frame in seconds; nil for a photo.
    package var time: Double?
    package var exists = true
    /// Width and height in pixels, upright.
    package var size: [Int]?
    /// The region in which brightness and colors are measured: x, y, width and height, 0 … 1; nil for the entire
    /// picture.
    package var region: [Double]?
    /// The mean luma, 0 … 1.
    package var brightness: Bounds?
    /// The contrast of details, as measured by `Picture.sharpness()`.
    package var sharpness: Bounds?
    /// The mean red, green and blue, 0 … 1.
    package var meanColor: [Double]?
    /// The largest accepted difference between each component of the mean color and `meanColor`.
    package var colorTolerance = 0.03
    /// The largest accepted difference between the means of red, green and blue.
    package var neutral: Double?
    /// The texts of codes that the picture must contain; empty if it must not contain any code.
    package var codes: [String]?
    /// The number of faces that the face detector finds.
    package var faces: Bounds?
    /// The file of a picture to compare with, relative to the folder of golden pictures.
    package var golden: String?
    /// The lowest accepted PSNR to the golden picture in decibels.
    package var minimumPSNR: Double?
    /// The lowest accepted SSIM to the golden picture, 0 … 1.
    package var minimumSSIM: Double?
    /// The numeric EXIF values of a photo.
    package var tags: [NumericTag: Bounds] = [:]
    package var make: String?
    package var model: String?
    package var flashFired: Bool?
    /// The file of the movie that belongs to a Live Photo.
    package var livePhotoMovie: String?

    /// Creates an expectation that a photo exists.
    package init(photo name: String) { self.name = name }

    /// Compares the picture in a folder.
    ///
    /// - Parameter goldenFolder: The folder of golden pictures.
    package func results(in folder: URL, goldenFolder: URL) -> [PropertyResult] {
        let url = folder.appendingPathComponent(name)
        if let result = PropertyResult.existence(of: url, isExpected: exists) { return [result] }
        do {
            let picture = try read(url)
            let pairing = livePhotoMovie.map { movieResult($0, picture.exif, in: folder) }
            return try results(of: picture, goldenFolder: goldenFolder) + (pairing.map { [$0] } ?? [])
        } catch {
            return [PropertyResult("a readable picture", "it cannot be read: \(error)", isMet: false)]
        }
    }

    /// Compares a picture.
    ///
    /// - Parameter goldenFolder: The folder of golden pictures.
    /// - Throws: An error if the picture cannot be measured, or if the golden picture cannot be read.
    package func results(of picture: Picture, goldenFolder: URL) throws -> [PropertyResult] {
        var results = try pictureResults(picture) + exifResults(picture.exif)
        if let golden { results.append(try goldenResult(picture, goldenFolder.appendingPathComponent(golden))) }
        return results.isEmpty ? [PropertyResult("that it exists", "it exists", isMet: true)] : results
    }

    /// Reads the picture.
    package func read(_ url: URL) throws -> Picture {
        if let time { try Picture(movie: url, at: time) } else { try Picture(photo: url) }
    }

    /// Descriptions of the expected properties.
    package var requirements: [String] {
        guard exists else { return ["that it does not exist"] }
        // Nothing is measured without a picture, so no error is thrown.
        var result = ((try? pictureResults(nil)) ?? []).map(\.expected) + exifResults(nil).map(\.expected)
        if let golden { result.append(summary(ofGolden: golden)) }
        if let livePhotoMovie { result.append(Self.summary(ofMovie: livePhotoMovie)) }
        return result.isEmpty ? ["that it exists"] : result
    }

    private static func summary(ofMovie name: String) -> String { "the content identifier of \(name)" }

    /// Compares the content identifier of a photo with that of a movie.
    private func movieResult(_ name: String, _ exif: EXIF?, in folder: URL) -> PropertyResult {
        let expected = Self.summary(ofMovie: name)
        do {
            let file = try DiskStorage().open(folder.appendingPathComponent(name), for: .reading)
            let entry = try MovieMap(reading: file).metadata.first { $0.key == LivePhotoMovie.contentIdentifierKey }
            var identifier: String?
            if case .text(let text)? = entry?.value { identifier = text }
            let isMet = identifier != nil && identifier == exif?.contentIdentifier
            return PropertyResult(
                expected, isMet ? expected : "\(identifier ?? "none") and \(exif?.contentIdentifier ?? "none")",
                isMet: isMet)
        } catch {
            return PropertyResult(expected, "\(name) cannot be read: \(error)", isMet: false)
        }
    }

    /// Compares a picture. If it is nil, only the `expected` texts of the results are valid.
    private func pictureResults(_ picture: Picture?) throws -> [PropertyResult] {
        var results: [PropertyResult] = []
        if let size {
            results.append(
                PropertyResult(
                    "size \(size[0])x\(size[1])",
                    picture.map { "size \($0.pixels.width)x\($0.pixels.height)" } ?? "no picture",
                    isMet: size == picture.map { [$0.pixels.width, $0.pixels.height] }))
        }
        let mean = picture?.meanColor(in: region) ?? (.nan, .nan, .nan)
        if let brightness {
            // Rec. ITU-R BT.709-6, 3.2.
            let luma = 0.2126 * mean.red + 0.7152 * mean.green + 0.0722 * mean.blue
            results.append(measured("brightness", brightness, luma))
        }
        if let sharpness { results.append(measured("sharpness", sharpness, try picture?.sharpness() ?? .nan)) }
        let parts = [mean.red, mean.green, mean.blue]
        let color = parts.map(rounded).joined(separator: ", ")
        if let meanColor {
            results.append(
                PropertyResult(
                    "mean color \(meanColor.map(number).joined(separator: ", ")) ± \(number(colorTolerance))",
                    "mean color \(color)",
                    isMet: zip(parts, meanColor).allSatisfy { abs($0 - $1) <= colorTolerance }))
        }
        if let neutral {
            let spread = (parts.max() ?? 0) - (parts.min() ?? 0)
            results.append(
                PropertyResult(
                    "red, green and blue within \(number(neutral))",
                    "a difference of \(rounded(spread)) in the mean color \(color)", isMet: spread <= neutral))
        }
        if let codes {
            let found = try picture?.codes() ?? []
            results.append(
                PropertyResult(
                    codes.isEmpty ? "no codes" : "the codes \(codes.joined(separator: ", "))",
                    found.isEmpty ? "no codes" : "the codes \(found.joined(separator: ", "))",
                    isMet: codes.isEmpty ? found.isEmpty : codes.allSatisfy(found.contains)))
        }
        if let faces { results.append(measured("faces", faces, Double(try picture?.faceCount() ?? 0))) }
        return results
    }

    private func exifResults(_ exif: EXIF?) -> [PropertyResult] {
        var results: [PropertyResult] = []
        for tag in NumericTag.allCases {
            guard let bounds = tags[tag] else { continue }
            let value = exif.flatMap { tag.value(in: $0) }
            results.append(
                PropertyResult(
                    "\(tag.rawValue) \(bounds.summary())", "\(tag.rawValue) \(value.map(number) ?? "missing")",
                    // EXIF stores fractions, such as 1/33 for 0.0303.
                    isMet: value.map { bounds.contains($0, tolerance: 0.001 * abs($0)) } ?? false))
        }
        for (key, expected, value) in [("make", make, exif?.make), ("model", model, exif?.model)] {
            guard let expected else { continue }
            results.append(
                PropertyResult("\(key) \(expected)", "\(key) \(value ?? "missing")", isMet: expected == value))
        }
        if let flashFired {
            let fired = exif?.flash?.fired
            results.append(
                PropertyResult(
                    flashFired ? "the flash fired" : "the flash did not fire",
                    fired.map { $0 ? "the flash fired" : "the flash did not fire" } ?? "no EXIF value of the flash",
                    isMet: fired == flashFired))
        }
        return results
    }

    /// Describes the expected similarity to a golden picture.
    private func summary(ofGolden name: String) -> String {
        var limits: [String] = []
        if let minimumPSNR { limits.append("PSNR of at least \(number(minimumPSNR)) dB") }
        if let minimumSSIM { limits.append("SSIM of at least \(number(minimumSSIM))") }
        return limits.isEmpty ? "equal to \(name)" : "\(limits.joined(separator: ", ")) to \(name)"
    }

    private func goldenResult(_ picture: Picture, _ url: URL) throws -> PropertyResult {
        let expected = summary(ofGolden: url.lastPathComponent)
        guard FileManager.default.fileExists(atPath: url.path) else {
            let remedy =
                time == nil
                ? "keep the photo with 'obscura replay --keep', look at it, and copy it there"
                : "write the frame there as a JPEG or PNG file"
            return PropertyResult(expected, "there is no golden picture \(url.path); \(remedy)", isMet: false)
        }
        let golden = try Picture(photo: url)
        let (size, goldenSize) = (
            "\(picture.pixels.width)x\(picture.pixels.height)", "\(golden.pixels.width)x\(golden.pixels.height)"
        )
        guard size == goldenSize else {
            return PropertyResult(expected, "\(size) pixels instead of \(goldenSize)", isMet: false)
        }
        let psnr = picture.peakSignalToNoiseRatio(to: golden)
        let ssim = minimumSSIM == nil ? nil : try picture.structuralSimilarity(to: golden)
        let seen =
            psnr.isInfinite ? "equal" : "PSNR \(rounded(psnr)) dB" + (ssim.map { ", SSIM \(rounded($0))" } ?? "")
        let isMet =
            minimumPSNR == nil && minimumSSIM == nil
            ? psnr.isInfinite : psnr >= minimumPSNR ?? 0 && (ssim ?? 1) >= minimumSSIM ?? 0
        return PropertyResult(expected, seen, isMet: isMet)
    }

    private func measured(_ name: String, _ bounds: Bounds, _ value: Double) -> PropertyResult {
        PropertyResult("\(name) \(bounds.summary())", "\(name) \(rounded(value))", isMet: bounds.contains(value))
    }
}

/// Formats a measured value with three decimal places.
private func rounded(_ value: Double) -> String { number((value * 1000).rounded() / 1000) }
