public import Foundation
import MediaMeasurements

/// A property that `XCTAssertPicture` and `expectPicture` require of a picture. Scenarios can expect the same
/// properties of photos.
public struct PictureRequirement: Sendable {
    /// The requirement as an expectation of a scenario, without the golden picture.
    let expectation: PictureExpectation
    /// The location of a golden picture.
    let golden: String?

    private init(golden: String? = nil, _ set: (inout PictureExpectation) -> Void) {
        var expectation = PictureExpectation(photo: "")
        set(&expectation)
        (self.expectation, self.golden) = (expectation, golden)
    }

    /// The size of the upright picture in pixels.
    public static func size(width: Int, height: Int) -> PictureRequirement { .init { $0.size = [width, height] } }

    /// The mean luma (Rec. ITU-R BT.709), from 0 to 1.
    ///
    /// - Parameters:
    ///   - range: The accepted values.
    ///   - region: The part of the picture, with coordinates from 0 to 1 from its top left corner; nil for the complete
    ///     picture.
    public static func brightness(_ range: ClosedRange<Double>, in region: CGRect? = nil) -> PictureRequirement {
        .init {
            $0.brightness = Bounds(range)
            $0.region = region.map(coordinates)
        }
    }

    /// The contrast of details in the middle of the picture: the mean squared gradient relative to the squared
    /// brightness. For the same scene, a sharper picture has a larger value. The range `0.02 ... .infinity` has no
    /// upper bound.
    public static func sharpness(_ range: ClosedRange<Double>) -> PictureRequirement {
        .init { $0.sharpness = Bounds(range) }
    }

    /// The mean color in sRGB, from 0 to 1.
    ///
    /// - Parameters:
    ///   - red: The red component.
    ///   - green: The green component.
    ///   - blue: The blue component.
    ///   - accuracy: The largest accepted difference of a component.
    ///   - region: The part of the picture, with coordinates from 0 to 1 from its top left corner; nil for the complete
    ///     picture.
    public static func meanColor(
        red: Double, green: Double, blue: Double, accuracy: Double = 0.03, in region: CGRect? = nil
    ) -> PictureRequirement {
        .init {
            $0.meanColor = [red, green, blue]
            $0.colorTolerance = accuracy
            $0.region = region.map(coordinates)
        }
    }

    /// A neutral gray: the means of red, green and blue are equal.
    ///
    /// - Parameters:
    ///   - accuracy: The largest accepted difference between two of them.
    ///   - region: The part of the picture, with coordinates from 0 to 1 from its top left corner; nil for the complete
    ///     picture.
    public static func neutral(accuracy: Double, in region: CGRect? = nil) -> PictureRequirement {
        .init {
            $0.neutral = accuracy
            $0.region = region.map(coordinates)
        }
    }

    /// Texts of codes that must be readable in the picture. It may contain other codes. Without texts, it must not
    /// contain any code.
    public static func codes(_ texts: String...) -> PictureRequirement { .init { $0.codes = texts } }

    /// The number of faces of at least 80x80 pixels. The face detector must be installed (docs/detectors.md).
    ///
    /// The faces in a metadata output of a simulated camera do not come from this detector. The camera reports the
    /// people in the scene.
    public static func faces(_ range: ClosedRange<Int>) -> PictureRequirement {
        .init { $0.faces = Bounds(Double(range.lowerBound)...Double(range.upperBound)) }
    }

    /// The similarity to a golden picture, which a person has checked and stored. Without limits, the pixels must be
    /// equal.
    ///
    /// - Parameters:
    ///   - path: A JPEG or PNG file, relative to the folder of the test's source file.
    ///   - psnr: The lowest accepted peak signal-to-noise ratio of red, green and blue in dB.
    ///   - ssim: The lowest accepted structural similarity of luma, at most 1.
    public static func golden(_ path: String, psnr: Double? = nil, ssim: Double? = nil) -> PictureRequirement {
        .init(golden: path) {
            $0.minimumPSNR = psnr
            $0.minimumSSIM = ssim
        }
    }

    private static func coordinates(_ region: CGRect) -> [Double] {
        [region.minX, region.minY, region.width, region.height].map { Double($0) }
    }
}
