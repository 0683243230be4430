import CaptureHAL
import ThreeA

/// The light on a scene during one exposure, as the sensor's color channels respond to it.
struct Illumination: Equatable {
    /// One value per color channel.
    struct Channels: Equatable {
        var red: Double
        var green: Double
        var blue: Double

        var maximum: Double { max(red, green, blue) }
    }

    /// The sensor's signal for a white surface in the scene's light, as a fraction of saturation.
    let whiteLevel: Channels
    /// The light of torch and flash at a distance of 1 m, relative to the scene's light.
    let cameraLight: Channels

    /// Creates the illumination of a frame.
    ///
    /// - Parameter light: The scene's illuminance in lux and color temperature in kelvin.
    init(_ light: (lux: Double, kelvin: Double), _ state: CameraState, _ profile: CameraProfile) {
        // Avoid a division by zero. The minimum is below that of an overcast night without a moon.
        let lux = max(state.isShutterClosed ? 0 : light.lux, 0.0001)
        let ambient = Chromaticity(blackBody: light.kelvin).linearRGB
        let torch = Chromaticity(blackBody: Self.torchKelvin).linearRGB
        let saturationFraction = Optics.saturationFraction(
            lux: lux, seconds: state.exposure.seconds, iso: state.exposure.iso,
            aperture: state.exposure.aperture(of: profile.lens))
        whiteLevel = Channels(
            red: saturationFraction * ambient.red * profile.sensor.redResponse, green: saturationFraction,
            blue: saturationFraction * ambient.blue * profile.sensor.blueResponse)
        var cameraLux = state.isShutterClosed ? 0 : profile.torchLux * state.lamps.torch
        if state.lamps.isFlashArmed, !state.isShutterClosed {
            cameraLux += profile.flashLuxSeconds * state.lamps.flashPower / state.exposure.seconds
        }
        let ratio = cameraLux / lux
        cameraLight = Channels(
            red: ratio * torch.red / ambient.red, green: ratio, blue: ratio * torch.blue / ambient.blue)
    }

    /// Returns the light on a layer, relative to the scene's light.
    ///
    /// - Parameters:
    ///   - brightness: The light on the layer without torch and flash, relative to the scene's light.
    ///   - depth: The distance of the layer in meters. The light of torch and flash decreases with its square.
    func relativeLight(brightness: Double, depth: Double) -> Channels {
        let squaredDepth = max(depth * depth, 0.01)
        return Channels(
            red: brightness + cameraLight.red / squaredDepth, green: brightness + cameraLight.green / squaredDepth,
            blue: brightness + cameraLight.blue / squaredDepth)
    }

    /// The color temperature of the white LED of torch and flash.
    static let torchKelvin = 5200.0
}
