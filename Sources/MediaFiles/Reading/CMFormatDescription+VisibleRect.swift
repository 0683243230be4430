import Foundation
import MediaCodecs
package import MediaTypes
package import PixelKernels

extension CMFormatDescription {
    /// The part of a frame to display, from the clean aperture, in whole pixels; nil for all of it.
    package var visibleRect: PixelRect? {
        let aperture = cleanAperture().integral
        let frame = CGRect(x: 0, y: 0, width: Double(dimensions.width), height: Double(dimensions.height))
        guard aperture != frame, !aperture.isEmpty, frame.contains(aperture) else { return nil }
        return PixelRect(
            x: Int(aperture.minX), y: Int(aperture.minY), width: Int(aperture.width), height: Int(aperture.height))
    }
}
