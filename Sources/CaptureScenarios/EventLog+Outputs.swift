import CaptureCore
import CaptureHAL
import Foundation
import MediaAssets
import MediaTypes
import PixelKernels
import SimDevices

extension EventLog {
    /// Logs a video frame: its counter, size and checksum.
    ///
    /// - Parameters:
    ///   - readsMarker: Whether the frame contains a marker, whose counter is logged; a question mark if it cannot be
    ///     read.
    ///   - camera: The camera in a session with several; nil otherwise.
    func noteFrame(_ sample: CMSampleBuffer, readsMarker: Bool, of camera: String? = nil) {
        guard let pixels = sample.imageBuffer else { return note("frame without pixels") }
        // Searching a frame for a marker costs as much as forming the frame.
        let counter = readsMarker ? (FrameMarker.read(from: pixels).map { "\($0.counter)" } ?? "?") + " " : ""
        let checksum: String
        do {
            checksum = try PixelChecksum(pixels).description
        } catch {
            checksum = "unreadable: \(error)"
        }
        note("frame \(Self.prefix(camera))\(counter)\(pixels.width)x\(pixels.height) \(checksum)")
    }

    /// Logs a dropped frame with the reason.
    ///
    /// - Parameter camera: The camera in a session with several; nil otherwise.
    func noteDrop(_ sample: CMSampleBuffer, of camera: String? = nil) {
        let reason = CMGetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
        note("frame dropped \(Self.prefix(camera))\(reason.map { "\($0)" } ?? "without a reason")")
    }

    /// Returns the camera of an event in a session with several, with a space after it.
    static func prefix(_ camera: String?) -> String { camera.map { "\($0) " } ?? "" }

    /// Logs the number of sound frames and their checksum.
    func noteSound(_ sample: CMSampleBuffer) {
        let checksum = sample.dataBuffer.map { $0.withUnsafeBytes { PixelChecksum($0).description } } ?? "no data"
        note("sound \(sample.numSamples) frames \(checksum)")
    }

    /// Logs the notifications of sessions and devices, until the tokens are removed from the center.
    ///
    /// - Parameter observer: Receives the notifications instead of the log.
    func observe(_ center: NotificationCenter, observer: (any ScenarioObserver)? = nil) -> [any NSObjectProtocol] {
        let names: [(Notification.Name, String)] = [
            (.AVCaptureSessionDidStartRunning, "session did start running"),
            (.AVCaptureSessionDidStopRunning, "session did stop running"),
            (.AVCaptureSessionWasInterrupted, "session was interrupted"),
            (.AVCaptureSessionInterruptionEnded, "session interruption ended"),
            (.AVCaptureSessionRuntimeError, "session runtime error"),
            (.AVCaptureDeviceWasConnected, "device connected"),
            (.AVCaptureDeviceWasDisconnected, "device disconnected"),
        ]
        return names.map { name, text in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                if let observer { return observer.received(notification) }
                self.note(([text] + details(notification)).joined(separator: " "))
            }
        }
    }

    /// Logs the files of a folder with size and checksum, and returns their names.
    func noteFiles(in folder: URL, of system: CaptureSystem) throws -> [String] {
        let names = try system.storage.contents(ofDirectory: folder)
        for name in names {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            let checksum = data.withUnsafeBytes { PixelChecksum($0) }
            note("file \(name) \(data.count) B \(checksum)")
        }
        return names
    }
}

/// Returns the details of a notification for the log: device, reason and error.
private func details(_ notification: Notification) -> [String] {
    var result: [String] = []
    if let device = notification.object as? AVCaptureDevice { result.append(device.uniqueID) }
    if let raw = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int {
        result.append(CaptureHAL.InterruptionReason(rawValue: raw)?.scenarioName ?? String(raw))
    }
    if let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error { result.append(describe(error)) }
    return result
}

/// Describes an error for the log: its code, and for a recording whether the file is playable.
package func describe(_ error: any Error) -> String {
    guard let error = error as? AVError else { return "\(error)" }
    let isPlayable = error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
    return "\(error.code) (\(error.code.rawValue))"
        + (isPlayable.map { $0 ? ", the file is good" : ", no good file" } ?? "")
}
