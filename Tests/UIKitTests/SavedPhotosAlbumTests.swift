import AVFoundation
import CaptureHAL
import CaptureTesting
import MediaTypes
import Photos
import UIKit
import XCTest

final class SavedPhotosAlbumTests: XCTestCase {
    @MainActor
    private static func image() -> UIImage {
        UIGraphicsImageRenderer(size: CGSize(width: 8, height: 8)).image { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
        }
    }

    func testAnImageIsSavedAndTheClosureIsCalledOnTheMainQueue() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem(profile: "phone")
            let image = Self.image()
            let isCalled = Lock(0, order: .client)
            simulated.run {
                UIImageWriteToSavedPhotosAlbum(image) { saved, error in
                    dispatchPrecondition(condition: .onQueue(.main))
                    XCTAssertTrue(saved === image)
                    XCTAssertNil(error)
                    isCalled.withLock { $0 += 1 }
                }
                UIImageWriteToSavedPhotosAlbum(image, nil, nil, nil)
            }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(isCalled.withLock { $0 }, 1)
            simulated.run { XCTAssertEqual(PHAsset.fetchAssets(with: .image, options: nil).count, 2) }
            XCTAssertEqual(simulated.misuses, [])
        }
    }

    func testWithoutAuthorizationTheImageIsNotSaved() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem(
                authorization: [.photoLibrary: .denied, .photoLibraryAdditions: .denied])
            let codes = Lock<[PHPhotosError.Code?]>([], order: .client)
            simulated.run {
                UIImageWriteToSavedPhotosAlbum(Self.image()) { _, error in
                    codes.withLock { $0.append((error as? PHPhotosError)?.code) }
                }
            }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(codes.withLock { $0 }, [.accessUserDenied])
        }
    }

    func testAMovieIsSavedIfTheLibraryAcceptsIt() throws {
        try MainActor.assumeIsolated {
            let simulated = try SimulatedSystem(profile: "phone")
            let movie = simulated.folder.appendingPathComponent("a.mov")
            let other = simulated.folder.appendingPathComponent("b.mov")
            try Data("no movie".utf8).write(to: other)
            let session = try simulated.run {
                let session = AVCaptureSession()
                session.sessionPreset = .vga640x480
                session.addInput(try AVCaptureDeviceInput(device: XCTUnwrap(AVCaptureDevice.default(for: .video))))
                return session
            }
            let (output, delegate) = simulated.run { (AVCaptureMovieFileOutput(), Movies()) }
            session.addOutput(output)
            session.startRunning()
            output.startRecording(to: movie, recordingDelegate: delegate)
            simulated.advance(by: .milliseconds(500))
            output.stopRecording()
            simulated.advance(by: .milliseconds(500))
            session.stopRunning()
            let results = Lock<[String]>([], order: .client)
            simulated.run {
                XCTAssertTrue(UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(movie.path))
                XCTAssertFalse(UIVideoAtPathIsCompatibleWithSavedPhotosAlbum(other.path))
                for url in [movie, other] {
                    UISaveVideoAtPathToSavedPhotosAlbum(url.path) { path, error in
                        XCTAssertEqual(path, url.path)
                        let code = (error as? PHPhotosError)?.code
                        results.withLock { $0.append(code.map { "\($0)" } ?? "saved") }
                    }
                }
                UISaveVideoAtPathToSavedPhotosAlbum(movie.path, nil, nil, nil)
            }
            simulated.advance(by: .seconds(1))
            XCTAssertEqual(results.withLock { $0.sorted() }, ["invalidResource", "saved"])
            simulated.run { XCTAssertEqual(PHAsset.fetchAssets(with: .video, options: nil).count, 2) }
            XCTAssertEqual(simulated.misuses, [])
        }
    }

    private final class Movies: NSObject, AVCaptureFileOutputRecordingDelegate {
        func fileOutput(
            _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
            from connections: [AVCaptureConnection], error: (any Error)?
        ) {
            XCTAssertNil(error)
        }
    }
}
