import AVFoundation
import Foundation
import Photos
import UIKit

/// A camera screen that records clips and takes photos, and saves both in the photo library.
@MainActor
public final class ClipCamera {
    /// Whether the screen is open.
    public private(set) var isOpen = false
    /// Whether the user is asked for access to the camera.
    public private(set) var isWaitingForAccess = false
    /// Whether the user has denied access to the camera; the screen shows a message then.
    public private(set) var isAccessDenied = false
    /// Whether the camera runs.
    public private(set) var isRunning = false
    /// Whether a recording has begun and has not finished.
    public private(set) var isRecording = false
    /// The number of photos that have no result.
    public private(set) var pendingPhotoCount = 0
    /// The last message to the user.
    public private(set) var message: String?
    /// Whether the photo library has refused a movie because its file is not valid.
    public private(set) var hasInvalidMovie = false
    /// The last measured sharpness.
    public private(set) var sharpness = 0

    private let faults: Set<ClipCameraFault>
    private let library = ClipLibrary()
    private var clip: ClipSession?

    private var observer: (any NSObjectProtocol)?

    public init(faults: Set<ClipCameraFault> = []) {
        self.faults = faults
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: UIApplication.shared, queue: .main
        ) { [weak self] _ in MainActor.assumeIsolated { self?.checkAccess() } }
    }

    isolated deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    /// Starts the camera if the user has granted access in Settings.
    private func checkAccess() {
        guard isOpen, isAccessDenied, AVCaptureDevice.authorizationStatus(for: .video) == .authorized else { return }
        isAccessDenied = false
        makeSession().start()
    }

    /// Whether the session runs, as the session itself reports it.
    public var isSessionRunning: Bool { clip?.session.isRunning ?? false }

    /// Whether the torch of a camera is on.
    public var isTorchOn: Bool { AVCaptureDevice.default(for: .video)?.torchMode == .on }

    // MARK: Actions of the user

    public var canRecord: Bool { isOpen && isRunning && !isRecording }
    public var canTakePhoto: Bool { isOpen && isRunning }
    public var canSwitchCamera: Bool { isOpen && isRunning && !isRecording }

    /// Opens the screen: requests access if necessary, and starts the camera.
    public func open() async {
        isOpen = true
        isWaitingForAccess = true
        let isGranted = await AVCaptureDevice.requestAccess(for: .video)
        _ = await AVCaptureDevice.requestAccess(for: .audio)
        isWaitingForAccess = false
        isAccessDenied = !isGranted
        guard isGranted, isOpen || faults.contains(.startsAfterScreenIsClosed) else { return }
        makeSession().start()
    }

    /// Closes the screen, and stops the camera.
    public func close() {
        isOpen = false
        if faults.contains(.deadlocksWhenClosed) { clip?.stopAndWait() } else { clip?.stop() }
    }

    /// Switches between the back and the front camera.
    public func switchCamera() { clip?.switchCamera() }

    /// Starts a recording.
    public func record(to movie: URL) {
        guard let clip else { return }
        isRecording = true
        self.movie = movie
        clip.record(to: movie)
    }

    public func stopRecording() {
        clip?.stopRecording()
        guard faults.contains(.savesUnfinishedMovie), let movie else { return }
        save(movie)
    }

    public func takePhoto() {
        guard let clip else { return }
        pendingPhotoCount += 1
        clip.takePhoto()
    }

    // MARK: Events of the session

    private var movie: URL?

    private func makeSession() -> ClipSession {
        if let clip { return clip }
        let new = ClipSession(faults: faults) { [weak self] event in
            if case .didMeasure = event, Thread.isMainThread {
                // The delegate waits for the main thread.
                return MainActor.assumeIsolated { self?.handle(event) }
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.handle(event) } }
        }
        clip = new
        return new
    }

    private func handle(_ event: ClipSession.Event) {
        switch event {
        case .didChangeRunning(let isRunning): self.isRunning = isRunning
        case .didFinishRecording(let movie, let isGood):
            isRecording = false
            guard isGood else {
                message = "The recording failed."
                return
            }
            if !faults.contains(.savesUnfinishedMovie) { save(movie) }
        case .didFinishPhoto(let photo):
            pendingPhotoCount -= 1
            guard let photo else {
                message = "The photo failed."
                return
            }
            let library = library
            Task { [weak self] in
                do { try await library.save(photo: photo) } catch { self?.message = "The photo is not saved." }
            }
        case .didMeasure(let sharpness): self.sharpness = sharpness
        }
    }

    private func save(_ movie: URL) {
        let library = library
        Task { [weak self] in
            do {
                try await library.save(movie: movie)
            } catch {
                self?.message = "The movie is not saved."
                if (error as? PHPhotosError)?.code == .invalidResource { self?.hasInvalidMovie = true }
            }
        }
    }
}
