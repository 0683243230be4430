import AVFoundation
import ArgumentParser
import CaptureSimulation
import CodeReader
import DemoWorld
import UIKit

/// Reads the codes on a shelf.
@main
struct CodeReaderDemo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "code-reader", abstract: "Reads QR codes and retail bar codes with a simulated camera.",
        discussion: "With OBSCURA_BACKEND=linux it uses the machine's camera.")

    @Option(help: "The folder for screen.png, which shows the codes with their boxes.")
    var demo: String?

    func run() throws {
        guard let demo else { throw CleanExit.helpRequest(self) }
        DemoWorld.run {
            let world = try DemoWorld(folder: demo, results: ["screen.png"]) { try SimulatedSystem(scene: .shelf) }
            let screen = CALayer()
            screen.bounds = CGRect(x: 0, y: 0, width: 720, height: 1280)
            let reader = try CodeReader(on: screen)
            reader.session.startRunning()
            try world.wait(for: "codes") { !reader.codes.isEmpty }
            world.wait(seconds: 0.5)
            for code in reader.codes {
                let frame = code.frame.integral
                print("\(code.type.rawValue): \(code.text) at \(Int(frame.minX)), \(Int(frame.minY))")
            }
            let picture = UIGraphicsImageRenderer(bounds: screen.bounds).pngData { screen.render(in: $0.cgContext) }
            try picture.write(to: world.url(of: "screen.png"))
            reader.session.stopRunning()
            guard !reader.codes.isEmpty else { throw DemoFailure("the codes are no longer visible") }
            print("done: \(reader.codes.count) codes (screen.png)")
        }
    }
}
