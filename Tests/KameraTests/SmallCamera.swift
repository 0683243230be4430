import Foundation
import XCTest

extension XCTestCase {
    /// Writes the profile of a phone with one camera, which has no 720p, until the test ends.
    func smallCamera(hasExposureLock: Bool = true) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("small-\(UUID().uuidString).yaml")
        let profile = """
            profile: 1
            name: small
            manufacturer: Obscura
            devices:
              - camera:
                  id: back
                  name: Back Camera
                  model: small-1
                  kind: builtInWideAngleCamera
                  position: back
                  mountingAngle: 90
                  lens: {aperture: 2.2, focalLength: 3.6 mm, equivalentFocalLength: 28 mm}
                  sensor:
                    fullWell: 5000 e
                    readNoise: 3 e
                    redResponse: 0.55
                    blueResponse: 0.6
                    crosstalkA: [[0.72, 0.25, 0.03], [0.25, 0.65, 0.10], [0.07, 0.32, 0.61]]
                    crosstalkD65: [[0.68, 0.27, 0.05], [0.20, 0.64, 0.16], [0.04, 0.28, 0.68]]
                  exposure: {durations: [1/10000 s, 1/15 s], iso: [100, 1600], bias: [-2, 2], lock: \(hasExposureLock)}
                  whiteBalance: {temperatures: [2800 K, 6500 K], maximumGain: 4}
                  zoom: {maximum: 4}
                  formats:
                    - {size: 640x480, pixelFormats: [420v], frameRates: [[5 fps, 30 fps]]}
              - microphone:
                  id: microphone
                  name: Microphone
                  model: small-microphone-1
                  sampleRates: [48 kHz]
                  channels: 1
                  samples: [int16]
                  noiseFloor: -62 dBFS
                  tones:
                    - {frequency: 1000 Hz, level: -20 dBFS}
            """
        try profile.write(to: url, atomically: true, encoding: .utf8)
        addTeardownBlock { try FileManager.default.removeItem(at: url) }
        return url.path
    }
}
