import CaptureHAL
import Dispatch
import Foundation
import MediaTypes
import PixelKernels
import SimDevices
import XCTest

@testable import AssetTypes
@testable import CaptureCore

/// Records the frames of a video data output.
final class RecordingFrames: AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
    struct Frame: Sendable {
        /// The frame number in the marker of the frame; nil if the marker is unreadable.
        let counter: UInt32?
        /// The device's time in the marker of the frame; nil if the marker is unreadable.
        let markedTime: CMTime?
        let time: CMTime
        let duration: CMTime
        let width: Int
        let height: Int
        let pixelFormat: OSType
        let checksum: UInt64?
        /// Whether the callback ran on the delegate's queue.
        let isOnQueue: Bool
    }

    struct Drop: Sendable, Equatable {
        let reason: String
        let time: CMTime
        let hasPixels: Bool
    }

    private struct State {
        var frames: [Frame] = []
        var drops: [Drop] = []
        var samples: [CMSampleBuffer] = []
        var events: [String] = []
    }

    let queue = DispatchQueue(label: "test.frames")
    private let key = DispatchSpecificKey<Bool>()
    private let keepsSamples: Lock<Bool>
    private let state = Lock(State())
    private let onFrame: @Sendable (CMSampleBuffer) -> Void

    init(keepsSamples: Bool = false, _ onFrame: @escaping @Sendable (CMSampleBuffer) -> Void = { _ in }) {
        self.keepsSamples = Lock(keepsSamples)
        self.onFrame = onFrame
        queue.setSpecific(key: key, value: true)
    }

    var frames: [Frame] { state.withLock { $0.frames } }
    var counters: [UInt32?] { frames.map(\.counter) }
    var drops: [Drop] { state.withLock { $0.drops } }
    var samples: [CMSampleBuffer] { state.withLock { $0.samples } }
    /// The callbacks in order: `f` for a frame, `d` for a dropped one.
    var events: String { state.withLock { $0.events.joined() } }

    /// Releases the kept samples. Later ones are not kept.
    func releaseSamples() {
        keepsSamples.withLock { $0 = false }
        state.withLock { $0.samples = [] }
    }

    func clear() { state.withLock { $0 = State() } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let isOnQueue = DispatchQueue.getSpecific(key: key) ?? false
        guard let pixels = sampleBuffer.imageBuffer else { return XCTFail("a frame without pixels") }
        let marker = FrameMarker.read(from: pixels)
        let frame = Frame(
            counter: marker?.counter, markedTime: marker?.time, time: sampleBuffer.presentationTimeStamp,
            duration: sampleBuffer.duration, width: CVPixelBufferGetWidth(pixels),
            height: CVPixelBufferGetHeight(pixels), pixelFormat: CVPixelBufferGetPixelFormatType(pixels),
            checksum: (try? PixelChecksum(pixels))?.value, isOnQueue: isOnQueue)
        let keeps = keepsSamples.withLock { $0 }
        state.withLock { state in
            state.frames.append(frame)
            state.events.append("f")
            if keeps { state.samples.append(sampleBuffer) }
        }
        onFrame(sampleBuffer)
    }

    func captureOutput(
        _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let reason = CMGetAttachment(
            sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
        state.withLock { state in
            state.drops.append(
                Drop(
                    reason: reason as? String ?? "", time: sampleBuffer.presentationTimeStamp,
                    hasPixels: sampleBuffer.imageBuffer != nil))
            state.events.append("d")
        }
    }
}

/// Records the chunks of an audio data output.
final class RecordingAudio: AVCaptureAudioDataOutputSampleBufferDelegate, Sendable {
    struct Chunk: Sendable {
        let time: CMTime
        let frameCount: Int
        let byteCount: Int
        let format: AudioStreamBasicDescription?
    }

    let queue = DispatchQueue(label: "test.audio")
    private let state = Lock<[Chunk]>([])

    var chunks: [Chunk] { state.withLock { $0 } }

    func captureOutput(
        _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
    ) {
        let chunk = Chunk(
            time: sampleBuffer.presentationTimeStamp, frameCount: sampleBuffer.numSamples,
            byteCount: sampleBuffer.totalSampleSize, format: sampleBuffer.formatDescription?.audioStreamBasicDescription
        )
        state.withLock { $0.append(chunk) }
    }
}

/// Records the callbacks of movie recordings.
final class RecordingMovies: AVCaptureFileOutputRecordingDelegate, Sendable {
    /// The arguments of a `didFinish` callback.
    struct RecordingResult: Sendable {
        let name: String
        let error: AVError?
        let connectionCount: Int
        /// Whether the output was recording during the callback.
        let wasRecording: Bool

        /// Whether the error indicates a playable file; nil without an error.
        var isPlayable: Bool? { error?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool }
    }

    private struct State {
        var events: [String] = []
        var results: [RecordingResult] = []
        var willFinishErrors: [AVError?] = []
        var startTimes: [CMTime] = []
    }

    private let state = Lock(State())
    private let onEnd: @Sendable (AVCaptureFileOutput, RecordingResult) -> Void

    init(_ onEnd: @escaping @Sendable (AVCaptureFileOutput, RecordingResult) -> Void = { _, _ in }) {
        self.onEnd = onEnd
    }

    /// All callbacks in order, such as `start a.mov`; `end` means `willFinish`, and `finish` means `didFinish`.
    var events: [String] { state.withLock { $0.events } }
    /// The results of the finished recordings, in order.
    var results: [RecordingResult] { state.withLock { $0.results } }
    /// The error of each `willFinish` callback, in order.
    var willFinishErrors: [AVError?] { state.withLock { $0.willFinishErrors } }
    var startTimes: [CMTime] { state.withLock { $0.startTimes } }

    private func record(_ name: String, _ url: URL) {
        state.withLock { $0.events.append("\(name) \(url.lastPathComponent)") }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime,
        from connections: [AVCaptureConnection]
    ) {
        record("start", fileURL)
        state.withLock { $0.startTimes.append(startPTS) }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { XCTFail("a delegate that implements the method with the start time must not receive the other one") }

    func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection],
        error: (any Error)?
    ) {
        record("end", fileURL)
        state.withLock { $0.willFinishErrors.append(error as? AVError) }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { record("pause", fileURL) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]
    ) { record("resume", fileURL) }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL,
        from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let name = outputFileURL.lastPathComponent
        let result = RecordingResult(
            name: name, error: error as? AVError, connectionCount: connections.count,
            wasRecording: output.isRecording)
        if error != nil, result.error == nil { XCTFail("\(String(describing: error)) is not an AVError") }
        record("finish", outputFileURL)
        state.withLock { $0.results.append(result) }
        onEnd(output, result)
    }
}

/// Records the callbacks of photo captures.
final class RecordingPhotos: AVCapturePhotoCaptureDelegate, Sendable {
    private struct State {
        var events: [String] = []
        var photos: [AVCapturePhoto] = []
        var errors: [AVError?] = []
        var movies: [Movie] = []
    }

    /// The movie of a Live Photo.
    struct Movie: Sendable {
        let url: URL
        let duration: CMTime
        let displayTime: CMTime
        let error: AVError?
    }

    private let state = Lock(State())

    /// All callbacks in order: `begin`, `will`, `did`, `photo` or `error`, `end`; for Live Photos also `recorded` and
    /// `movie` or `movieError`.
    var events: [String] { state.withLock { $0.events } }
    var photos: [AVCapturePhoto] { state.withLock { $0.photos } }
    /// The error of each finished capture.
    var errors: [AVError?] { state.withLock { $0.errors } }
    var movies: [Movie] { state.withLock { $0.movies } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
        resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { record("recorded") }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL, duration: CMTime,
        photoDisplayTime: CMTime, resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
        record(error == nil ? "movie" : "movieError")
        let movie = Movie(
            url: outputFileURL, duration: duration, displayTime: photoDisplayTime, error: error as? AVError)
        state.withLock { $0.movies.append(movie) }
    }

    private func record(_ name: String) { state.withLock { $0.events.append(name) } }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { record("begin") }

    func photoOutput(
        _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { record("will") }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { record("did") }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
    ) {
        record(error == nil ? "photo" : "error")
        state.withLock { $0.photos.append(photo) }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
        error: (any Error)?
    ) {
        record("end")
        state.withLock { $0.errors.append(error as? AVError) }
    }
}

/// Records the notifications of sessions and devices in order.
final class RecordingNotifications: Sendable {
    // SAFETY: written only by `init`, read by `deinit`.
    private nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []
    private let names = Lock<[String]>([])
    private let received = Lock<[Notification]>([])
    private let center: NotificationCenter
    private let clock: SimClock

    init(_ fixture: CaptureFixture, _ onNotification: @escaping @Sendable (String) -> Void = { _ in }) {
        center = fixture.center
        clock = fixture.clock
        let observed: [(Notification.Name, String)] = [
            (.AVCaptureSessionDidStartRunning, "start"), (.AVCaptureSessionDidStopRunning, "stop"),
            (.AVCaptureSessionRuntimeError, "error"), (.AVCaptureSessionWasInterrupted, "interrupted"),
            (.AVCaptureSessionInterruptionEnded, "interruption ended"),
            (.AVCaptureDeviceWasConnected, "connected"), (.AVCaptureDeviceWasDisconnected, "disconnected"),
        ]
        for (name, label) in observed {
            tokens.append(
                center.addObserver(forName: name, object: nil, queue: nil) { [names, received] notification in
                    var text = label
                    if let reason = notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int {
                        text += " \(reason)"
                    }
                    if let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError {
                        text += " \(error.code)"
                    }
                    if let device = notification.object as? AVCaptureDevice { text += " \(device.uniqueID)" }
                    names.withLock { $0.append(text) }
                    received.withLock { $0.append(notification) }
                    onNotification(text)
                })
        }
    }

    deinit { for token in tokens { center.removeObserver(token) } }

    /// All notifications, such as `interrupted 2` with the raw value of the reason, `error deviceWasDisconnected`,
    /// `connected webcam.camera`.
    ///
    /// This and the members below first wait until the main thread has posted all notifications.
    var events: [String] {
        clock.settle()
        return names.withLock { $0 }
    }
    var notifications: [Notification] {
        clock.settle()
        return received.withLock { $0 }
    }

    func clear() {
        clock.settle()
        names.withLock { $0 = [] }
        received.withLock { $0 = [] }
    }
}
