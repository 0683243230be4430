import ExampleTestSupport
import Foundation
import XCTest

extension XCTestCase {
    /// Writes the profile of a phone with one camera that does not support 720p, and returns the path. The file is
    /// removed after the test.
    func smallCamera(hasExposureLock: Bool = true) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("small-\(UUID().uuidString).yaml")
        let camera = cameraProfileEntry(
            id: "back", name: "Back Camera", model: "small-1", position: "back", size: "640x480",
            exposure: ", lock: \(hasExposureLock)", additionalLines: ["zoom: {maximum: 4}"])
        let profile = """
            profile: 1
            name: small
            manufacturer: Obscura
            devices:
            \(camera)\
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
