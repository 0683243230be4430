import CaptureHAL
import ThreeA

extension CameraProfile {
    /// The areas of the aperture, relative to that of the default aperture.
    var apertureAreas: ClosedRange<Double> {
        guard let widest = lens.apertureStops.first, let narrowest = lens.apertureStops.last else { return 1...1 }
        let (largest, smallest) = (lens.aperture / widest, lens.aperture / narrowest)
        return smallest * smallest...largest * largest
    }

    /// The values of `automaticExposureSettings`. With a fixed aperture, it makes no difference whether the aperture is
    /// automatic.
    var automaticExposureSettings: Set<Int64> {
        var values: Set<Int64> = [0]
        for priority in exposurePriorities {
            let settings = priority.automaticSettings
            values.insert(settings.rawValue)
            guard lens.apertureStops.isEmpty else { continue }
            values.insert(settings.symmetricDifference(.aperture).rawValue)
        }
        return values
    }
}

extension Exposure {
    /// Returns the f-number of a lens.
    func aperture(of lens: LensDescriptor) -> Double { lens.aperture / apertureArea.squareRoot() }
}
