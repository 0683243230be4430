// Measures the run time of a simulated system: runs an app's service in it for a number of seconds of virtual time,
// with 30 frames per second if the camera is used, and prints the service's counts as JSON. CI/benchmark compares the
// run time with that of `obscura record --null`.
//
// usage: polling-service SECONDS [--without-camera]
import CaptureSimulation
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard let seconds = arguments.first.flatMap({ Int($0) }), seconds > 0,
    arguments.dropFirst().allSatisfy({ $0 == "--without-camera" })
else {
    FileHandle.standardError.write(Data("usage: polling-service SECONDS [--without-camera]\n".utf8))
    exit(64)
}
let simulated = try SimulatedSystem()
let monitor = CameraMonitor()
let usesCamera = !arguments.contains("--without-camera")
monitor.start(usesCamera: usesCamera)
if usesCamera {
    simulated.advance(until: { monitor.currentCounts.videoFrames >= 30 * seconds }, limit: .seconds(seconds + 5))
} else {
    simulated.advance(by: .seconds(seconds))
}
monitor.stop()
simulated.advance(by: .zero)
print(String(decoding: try JSONEncoder().encode(monitor.currentCounts), as: UTF8.self))
