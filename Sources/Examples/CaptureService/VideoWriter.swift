import AVFoundation

/// Receives the result of a writer, on the writer's queue.
protocol VideoWriterDelegate: AnyObject {
    /// The writer has failed and has deleted its file.
    func videoWriter(_ writer: VideoWriter, didFailWith error: any Error)
    /// The file is complete; with an error, it could not be completed.
    func videoWriter(_ writer: VideoWriter, didCompleteWith error: (any Error)?)
}

/// Writes one movie. It begins with the first frame; earlier sound is dropped.
final class VideoWriter: NSObject, @unchecked Sendable {
    // SAFETY: the state is used on `queue` only.

    weak var delegate: (any VideoWriterDelegate)?
    private(set) var isWriting = false

    private let session: AVCaptureSession
    private let queue: DispatchQueue
    private let log: @Sendable (String) -> Void
    private let writer: AVAssetWriter
    private var videoInput: AVAssetWriterInput?
    private var audioInput: AVAssetWriterInput?
    private var hasBegun = false
    private var observation: (any NSObjectProtocol)?

    /// Creates a writer of an MP4 file.
    ///
    /// - Parameters:
    ///   - videoSettings: The settings of the video; a movie without them has no video, which is logged.
    ///   - hasSound: Whether sound will be appended.
    ///   - audioSettings: The settings of the sound; a movie without them is silent, which is logged.
    ///   - session: The source of the samples; an interruption of the session cancels the movie.
    ///   - queue: The queue on which all methods are called.
    init(
        url: URL, videoSettings: [String: Any]?, hasSound: Bool, audioSettings: [String: Any]?,
        session: AVCaptureSession, queue: DispatchQueue, log: @escaping @Sendable (String) -> Void
    ) throws {
        self.session = session
        self.queue = queue
        self.log = log
        do {
            writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
        } catch {
            throw CaptureServiceError(.writerNotStarted, error)
        }
        super.init()
        videoInput = try makeInput(.video, videoSettings, orThrow: .writerRefusedVideo)
        if hasSound { audioInput = try makeInput(.audio, audioSettings, orThrow: .writerRefusedAudio) }
    }

    private func makeInput(
        _ mediaType: AVMediaType, _ settings: [String: Any]?, orThrow code: CaptureServiceError.Code
    ) throws -> AVAssetWriterInput? {
        guard let settings else {
            log("warning: there are no \(mediaType.rawValue) settings")
            return nil
        }
        guard writer.canApply(outputSettings: settings, forMediaType: mediaType) else {
            throw CaptureServiceError(code)
        }
        let input = AVAssetWriterInput(mediaType: mediaType, outputSettings: settings)
        // Without this, the writer is not ready for all samples of a camera.
        input.expectsMediaDataInRealTime = true
        guard writer.canAdd(input) else { throw CaptureServiceError(code) }
        writer.add(input)
        return input
    }

    /// Creates the file.
    func startWriting() throws {
        guard writer.startWriting() else { throw CaptureServiceError(.writerNotStarted, writer.error) }
        isWriting = true
        observation = NotificationCenter.default.addObserver(
            forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil
        ) { [weak self] _ in
            guard let self else { return }
            self.queue.async { self.fail(AVError(.sessionWasInterrupted)) }
        }
    }

    /// Appends a sample buffer, or skips it if the writer is not ready.
    func append(_ sampleBuffer: CMSampleBuffer, isVideo: Bool) {
        guard isWriting else { return }
        if !hasBegun {
            guard isVideo else { return }
            writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
            hasBegun = true
        }
        guard let input = isVideo ? videoInput : audioInput, input.isReadyForMoreMediaData else { return }
        guard !input.append(sampleBuffer) else { return }
        fail(CaptureServiceError(isVideo ? .videoNotAppended : .audioNotAppended, writer.error))
    }

    /// Completes the file. If no movie is being written, it only logs that.
    func stopWriting() {
        guard isWriting, writer.status == .writing else { return log("stopped without a movie") }
        end()
        guard hasBegun else {
            writer.cancelWriting()
            delegate?.videoWriter(self, didCompleteWith: AVError(.noDataCaptured))
            return
        }
        writer.finishWriting {
            let error = self.writer.status == .completed ? nil : self.writer.error ?? AVError(.unknown)
            self.queue.async { self.delegate?.videoWriter(self, didCompleteWith: error) }
        }
    }

    /// Deletes the file without reporting its end.
    func cancelWriting() {
        guard isWriting else { return }
        end()
        writer.cancelWriting()
        try? FileManager.default.removeItem(at: writer.outputURL)  // A cancelled writer may have deleted it.
    }

    private func fail(_ error: any Error) {
        guard isWriting else { return }
        cancelWriting()
        delegate?.videoWriter(self, didFailWith: error)
    }

    private func end() {
        isWriting = false
        observation.map(NotificationCenter.default.removeObserver)
        observation = nil
    }

    deinit { end() }
}
