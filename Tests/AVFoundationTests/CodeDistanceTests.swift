import AVFoundation
import CaptureTesting
import Foundation
import SimDevices
import TestSupport
import XCTest

/// A QR code with modules of 1 mm at distances of 5 to 30 cm, read with the lenses of each phone.
///
/// `OBSCURA_CODE_TABLE=FOLDER` reads it with all phones, cameras and distances, in light and in the dark, and writes a
/// table and the pictures.
final class CodeDistanceTests: XCTestCase {
    /// A camera and its zoom factor.
    private struct Setup {
        let name: String
        let type: AVCaptureDevice.DeviceType
        let zoom: Double

        static let wide = Setup(name: "wide", type: .builtInWideAngleCamera, zoom: 1)
        static let triple = Setup(name: "triple 2x", type: .builtInTripleCamera, zoom: 2)
        static let all = [
            wide, Setup(name: "triple 1x", type: .builtInTripleCamera, zoom: 1), triple,
            Setup(name: "dual-wide 1x", type: .builtInDualWideCamera, zoom: 1),
            Setup(name: "dual-wide 2x", type: .builtInDualWideCamera, zoom: 2),
        ]
    }

    private struct Outcome {
        var isRead: Bool
        var lens: String
        var picture: Data?
    }

    private static let text = "OBSCURA 42"

    private final class Reader: NSObject, AVCaptureMetadataOutputObjectsDelegate, Sendable {
        let texts = Lock<Set<String>>([])

        func metadataOutput(
            _ output: AVCaptureMetadataOutput, didOutput objects: [AVMetadataObject],
            from connection: AVCaptureConnection
        ) {
            let found = objects.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }
            texts.withLock { $0.formUnion(found) }
        }
    }

    private final class PhotoReceiver: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        let data = Lock<Data?>(nil)

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
        ) { data.withLock { $0 = photo.fileDataRepresentation() } }
    }

    private func scene(centimeters: Int) throws -> SimScene {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("code-\(UUID().uuidString).yaml")
        let text = """
            scene: 1
            name: code
            light: {illuminance: 500 lx, temperature: 5000 K}
            codes: [{kind: qr, text: "\(Self.text)", module: 1 mm, depth: \(centimeters) cm}]
            """
        try Data(text.utf8).write(to: file)
        defer { XCTAssertNoThrow(try FileManager.default.removeItem(at: file)) }
        return try SimScene.named(file.path)
    }

    /// Reads the code for a second; nil if the phone has no such camera.
    private func read(
        _ phone: String, _ setup: Setup, centimeters: Int, lux: Double = 500, takesPicture: Bool = false
    ) throws -> Outcome? {
        let simulated = try SimulatedSystem(
            profile: phone, scene: scene(centimeters: centimeters), light: SceneLight(lux: lux, kelvin: 5000))
        defer { simulated.close() }
        return try simulated.run { () -> Outcome? in
            guard let camera = AVCaptureDevice.default(setup.type, for: .video, position: .back) else { return nil }
            let session = AVCaptureSession()
            session.sessionPreset = .hd1920x1080
            session.addInput(try AVCaptureDeviceInput(device: camera))
            let (output, photoOutput) = (AVCaptureMetadataOutput(), AVCapturePhotoOutput())
            session.addOutput(output)
            if takesPicture { session.addOutput(photoOutput) }
            output.metadataObjectTypes = [.qr]
            let reader = Reader()
            output.setMetadataObjectsDelegate(reader, queue: DispatchQueue(label: "codes"))
            try camera.lockForConfiguration()
            camera.videoZoomFactor = CGFloat(setup.zoom)
            camera.unlockForConfiguration()
            session.startRunning()
            simulated.advance(by: .milliseconds(1000))
            let lens = (camera.activePrimaryConstituent ?? camera).uniqueID
            let receiver = PhotoReceiver()
            if takesPicture {
                photoOutput.capturePhoto(with: AVCapturePhotoSettings(), delegate: receiver)
                simulated.advance(by: .milliseconds(200))
            }
            session.stopRunning()
            return Outcome(
                isRead: reader.texts.withLock { $0.contains(Self.text) },
                lens: String(lens.split(separator: ".")[1]), picture: receiver.data.withLock { $0 })
        }
    }

    func testTheWideCameraOfANewPhoneCannotReadANearCodeAndTheTripleCameraCan() throws {
        let wide = try XCTUnwrap(read("phone-pro-5x", .wide, centimeters: 8))
        XCTAssertFalse(wide.isRead)
        let triple = try XCTUnwrap(read("phone-pro-5x", .triple, centimeters: 8))
        XCTAssertTrue(triple.isRead)
        XCTAssertEqual(triple.lens, "back-ultra-wide")
        // Beyond its nearest focus, the wide camera delivers.
        let far = try XCTUnwrap(read("phone-pro-5x", .triple, centimeters: 30))
        XCTAssertTrue(far.isRead)
        XCTAssertEqual(far.lens, "back-wide")
    }

    func testASmallPhoneReadsANearCode() throws {
        XCTAssertEqual(try read("phone-small", .wide, centimeters: 10)?.isRead, true)
        XCTAssertNil(try read("phone-small", .triple, centimeters: 10))
    }

    func testAnUltraWideCameraWithFixedFocusDoesNotTakeOver() throws {
        XCTAssertEqual(try read("phone-pro-2x", .triple, centimeters: 5)?.lens, "back-wide")
        XCTAssertEqual(try read("phone-pro-3x", .triple, centimeters: 5)?.lens, "back-ultra-wide")
    }

    func testTheTableOfAllPhones() throws {
        guard let path = ProcessInfo.processInfo.environment["OBSCURA_CODE_TABLE"] else {
            throw XCTSkip("OBSCURA_CODE_TABLE does not name a folder for the table")
        }
        let folder = URL(fileURLWithPath: path, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let distances = [5, 8, 10, 15, 20, 30]
        var lines: [String] = []
        for (name, lux) in [("light", 500.0), ("dark", 5)] {
            lines += ["", "## In the \(name), \(Int(lux)) lx", ""]
            lines.append("| Phone | Camera | " + distances.map { "\($0) cm" }.joined(separator: " | ") + " |")
            lines.append("|---|---|" + distances.map { _ in "---" }.joined(separator: "|") + "|")
            for phone in PhoneSelection.all.names {
                for setup in Setup.all {
                    var cells: [String] = []
                    for distance in distances {
                        guard
                            let outcome = try read(
                                phone, setup, centimeters: distance, lux: lux, takesPicture: name == "light")
                        else { break }
                        let lens = outcome.lens.replacingOccurrences(of: "back-", with: "")
                        cells.append("\(outcome.isRead ? "read" : "–") (\(lens))")
                        let file = "\(phone)-\(setup.name.replacingOccurrences(of: " ", with: "-"))-\(distance).jpg"
                        try outcome.picture?.write(to: folder.appendingPathComponent(file))
                    }
                    guard !cells.isEmpty else { continue }
                    lines.append("| \(phone) | \(setup.name) | " + cells.joined(separator: " | ") + " |")
                    print(lines[lines.count - 1])
                }
            }
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appendingPathComponent("table.md"))
    }
}
