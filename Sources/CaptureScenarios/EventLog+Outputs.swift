import AVFAudio
import AssetTypes
import CaptureCore
import CaptureHAL
import Foundation
import MediaMeasurements
import MediaTypes
import PixelKernels
import SimDevices

extension EventLog {
    /// Logs a video frame: its counter, size and checksum.
    ///
    /// - Parameters:
    ///   - readsMarker: Whether the frame contains a marker. If so, logs its counter, or a question mark if the marker
    ///     is unreadable.
    ///   - camera: The ID of the camera in a session with several cameras; nil otherwise.
    func noteFrame(_ sample: CMSampleBuffer, readsMarker: Bool, of camera: String? = nil) {
        guard let pixels = sample.imageBuffer else { return note("frame without pixels") }
        // Searching a frame for a marker takes as long as rendering the frame.
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
    /// - Parameter camera: The ID of the camera in a session with several cameras; nil otherwise.
    func noteDrop(_ sample: CMSampleBuffer, of camera: String? = nil) {
        let reason = CMGetAttachment(
            sample, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
        note("frame dropped \(Self.prefix(camera))\(reason.map { "\($0)" } ?? "without a reason")")
    }

    /// Returns the ID of a camera followed by a space; empty if it is nil.
    static func prefix(_ camera: String?) -> String { camera.map { "\($0) " } ?? "" }

    /// Logs an audio buffer: the number of its audio frames and a checksum.
    func noteAudio(_ sample: CMSampleBuffer) {
        let checksum = sample.dataBuffer.map { $0.withUnsafeBytes { PixelChecksum($0).description } } ?? "no data"
        note("sound \(sample.numSamples) frames \(checksum)")
    }

    /// Logs a change of the system pressure on a camera that a session uses.
    func noteSystemPressure(_ pressure: SystemPressure, of camera: String) {
        let factors = SystemPressure.Factors.scenarioNames.filter { pressure.factors.contains($0.value) }.map(\.name)
        note(([EventName.systemPressure, "\(pressure.level)", camera] + factors).joined(separator: " "))
    }

    /// Logs the movie of a Live Photo.
    func noteLivePhoto(_ name: String, duration: CMTime, displayTime: CMTime, _ error: (any Error)?) {
        if let error { return note("live photo failed \(describe(error))") }
        note("live photo \(name), photo at \(displayTime.seconds) of \(duration.seconds) s")
    }

    /// Logs the notifications of sessions and devices, until the tokens are removed from the center.
    ///
    /// The events of a named session end with its name. Sessions without a name are numbered in the order of their
    /// first events. Their events end with the number, except for the events of the first session.
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
        let sessions = Lock<[ObjectIdentifier]>([])
        // Observers receive only the notifications of sessions and devices.
        let all = observer == nil ? names + Self.systemNotifications : names
        return all.map { name, text in
            center.addObserver(forName: name, object: nil, queue: nil) { notification in
                if let observer { return observer.received(notification) }
                var suffix = ""
                if let session = notification.object as? AVCaptureSession {
                    let number = sessions.withLock { ids in
                        let id = ObjectIdentifier(session)
                        if !ids.contains(id) { ids.append(id) }
                        return (ids.firstIndex(of: id) ?? 0) + 1
                    }
                    let name = self.name(of: session) ?? (number > 1 ? "\(number)" : nil)
                    suffix = name.map { LogEntry.sessionWords + $0 } ?? ""
                }
                self.note(([text] + details(notification)).joined(separator: " ") + suffix)
            }
        }
    }

    /// The notifications of the audio session, and UIKit's notifications of the app's state.
    private static let systemNotifications: [(Notification.Name, String)] = [
        (AVAudioSession.interruptionNotification, "audio session interruption"),
        (AVAudioSession.routeChangeNotification, "audio session route change"),
        (AVAudioSession.mediaServicesWereLostNotification, "audio session media services were lost"),
        (AVAudioSession.mediaServicesWereResetNotification, "audio session media services were reset"),
        (Notification.Name("UIApplicationWillResignActiveNotification"), "application will resign active"),
        (Notification.Name("UIApplicationDidEnterBackgroundNotification"), "application did enter background"),
        (Notification.Name("UIApplicationWillEnterForegroundNotification"), "application will enter foreground"),
        (Notification.Name("UIApplicationDidBecomeActiveNotification"), "application did become active"),
    ]

    /// Logs the assets of the photo library in the order of their import.
    func noteContents(_ contents: LibraryContents) {
        for asset in contents.assets {
            var text = "asset \(asset.isMovie ? "movie" : "photo") \(asset.size[0])x\(asset.size[1])"
            if asset.isMovie { text += " \(shortNumber(asset.duration)) s" }
            if !asset.albums.isEmpty { text += " in \(asset.albums.joined(separator: ", "))" }
            if asset.isAdded { text += " added" }
            note(text)
        }
    }

    /// Logs the files of a folder with their sizes and checksums, and returns their names.
    func noteFiles(in folder: URL, of system: CaptureSystem) throws -> [String] {
        let library = system.photoLibraryURL.standardizedFileURL.path
        let names = try system.storage.contents(ofDirectory: folder).filter {
            folder.appendingPathComponent($0).standardizedFileURL.path != library
        }
        for name in names {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            let checksum = data.withUnsafeBytes { PixelChecksum($0) }
            note("file \(name) \(data.count) B \(checksum)")
        }
        return names
    }
}

/// Returns the details of a notification for the log: device, reason, options and error.
private func details(_ notification: Notification) -> [String] {
    var result: [String] = []
    if let device = notification.object as? AVCaptureDevice { result.append(device.uniqueID) }
    if let raw = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int {
        result.append(CaptureHAL.InterruptionReason(rawValue: raw)?.scenarioName ?? String(raw))
    }
    if let raw = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt {
        let isBegin = AVAudioSession.InterruptionType(rawValue: raw) == .began
        result.append(isBegin ? "began" : "ended")
        if !isBegin {
            let options = AVAudioSession.InterruptionOptions(
                rawValue: notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0)
            result.append(options.contains(.shouldResume) ? "should-resume" : "without should-resume")
        }
    }
    if let raw = notification.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt {
        let names = Scenario.AudioSessionCall.routeChangeReasons
        result.append(names.first { $0.value.rawValue == raw }?.name ?? "\(raw)")
    }
    if let error = notification.userInfo?[AVCaptureSessionErrorKey] as? any Error { result.append(describe(error)) }
    return result
}

/// Describes an error for the log: its code, and, for the error of a recording, whether the file is playable.
package func describe(_ error: any Error) -> String {
    guard let error = error as? AVError else {
        let status = error as NSError
        if status.domain == "NSOSStatusErrorDomain", let code = AVAudioSession.ErrorCode(rawValue: status.code) {
            return "\(code) (\(status.code))"
        }
        return "\(error)"
    }
    let isPlayable = error.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool
    return "\(error.code) (\(error.code.rawValue))"
        + (isPlayable.map { $0 ? ", the file is good" : ", no good file" } ?? "")
}
