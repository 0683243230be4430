import CaptureHAL
import ThreeA

/// The light on a scene during one exposure, weighted by the sensor's color filters.
struct Illumination: Equatable {
    /// One value per color channel.
    struct Channels: Equatable {
        var red: Double
        var green: Double
        var blue: Double

        var greatest: Double { max(red, green, blue) }
    }

    /// The level of a white surface in the scene's own light, as a fraction of saturation.
    let exposure: Channels
    /// The light of torch and flash at 1 m, relative to the scene's light.
    let cameraLight: Channels

    /// Creates the illumination of a frame.
    ///
    /// - Parameter light: The scene's illuminance and color temperature.
    init(_ light: (lux: Double, kelvin: Double), _ state: CameraState, _ profile: CameraProfile) {
        // Avoid a division by zero. This is darker than a starless night.
        let lux = max(light.lux, 0.0001)
        let ambient = Chromaticity(blackBody: light.kelvin).linearRGB
        let torch = Chromaticity(blackBody: Self.torchKelvin).linearRGB
        let part = Optics.saturation(
            lux: lux, seconds: state.exposure.seconds, iso: state.exposure.iso, aperture: profile.lens.aperture)
        exposure = Channels(
            red: part * ambient.red * profile.sensor.redResponse, green: part,
            blue: part * ambient.blue * profile.sensor.blueResponse)
        var cameraLux = profile.torchLux * state.torch
        if state.isFlashArmed { cameraLux += profile.flashLuxSeconds / state.exposure.seconds }
        let ratio = cameraLux / lux
        cameraLight = Channels(
            red: ratio * torch.red / ambient.red, green: ratio, blue: ratio * torch.blue / ambient.blue)
    }

    /// Returns the light on a layer relative to the scene's light: the layer's own luminance plus torch and flash,
    /// which decrease with the square of the distance.
    func factors(brightness: Double, depth: Double) -> Channels {
        let square = max(depth * depth, 0.01)
        return Channels(
            red: brightness + cameraLight.red / square, green: brightness + cameraLight.green / square,
            blue: brightness + cameraLight.blue / square)
    }

    /// Color temperature of the white LED of torch and flash.
    private static let torchKelvin = 5200.0
}
