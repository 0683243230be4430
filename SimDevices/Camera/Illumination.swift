import CaptureHAL
import ThreeA

/// The light on a scene while one frame is exposed, as a sensor with its filters sees it.
struct Illumination: Equatable {
    /// A number for each channel.
    struct Channels: Equatable {
        var red: Double
        var green: Double
        var blue: Double

        var greatest: Double { max(red, green, blue) }
    }

    /// The part of saturation to which the scene's own light takes a white surface.
    let exposure: Channels
    /// The light of torch and flash at 1 m, in proportion to the scene's.
    let own: Channels

    /// - Parameters:
    ///   - light: The scene's illuminance and colour temperature.
    init(_ light: (lux: Double, kelvin: Double), _ state: CameraState, _ profile: CameraProfile) {
        // Darker than a starless night there is nothing to see, and nothing to compare with.
        let lux = max(light.lux, 0.0001)
        let ambient = Chromaticity(blackBody: light.kelvin).linearRGB
        let torch = Chromaticity(blackBody: Self.torchKelvin).linearRGB
        let part = Optics.saturation(
            lux: lux, seconds: state.exposure.seconds, iso: state.exposure.iso, aperture: profile.lens.aperture)
        exposure = Channels(
            red: part * ambient.red * profile.sensor.redResponse, green: part,
            blue: part * ambient.blue * profile.sensor.blueResponse)
        var ownLux = profile.torchLux * state.torch
        if state.isFlashArmed { ownLux += profile.flashLuxSeconds / state.exposure.seconds }
        let ratio = ownLux / lux
        own = Channels(red: ratio * torch.red / ambient.red, green: ratio, blue: ratio * torch.blue / ambient.blue)
    }

    /// The light on a layer in proportion to the scene's: its own share, and that of torch and flash, which falls with
    /// the square of distance.
    func factors(brightness: Double, depth: Double) -> Channels {
        let square = max(depth * depth, 0.01)
        return Channels(
            red: brightness + own.red / square, green: brightness + own.green / square,
            blue: brightness + own.blue / square)
    }

    /// Of the white LED of torch and flash.
    private static let torchKelvin = 5200.0
}
