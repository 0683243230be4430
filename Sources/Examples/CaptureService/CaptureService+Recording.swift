import AVFoundation

/// Movies; on the writing queue.
extension CaptureService {
    /// Starts recording a movie to a new URL. If a movie is being recorded, it only logs that.
    public func startRecording() {
        performInOrder {
            guard self.writer == nil else { return self.log("a movie is being recorded") }
            do {
                let url = try self.makeMovieURL()
                let writer = try VideoWriter(
                    url: url, videoSettings: self.videoSettings ?? self.defaultVideoSettings,
                    hasSound: self.shouldRecordAudio && self.hasMicrophone, audioSettings: self.audioSettings,
                    session: self.session, queue: self.writingQueue, log: self.log)
                writer.delegate = self
                try writer.startWriting()
                self.writer = writer
                self.lock.withLock { (self.shared.recordURL, self.shared.isWriting) = (url, true) }
                self.report { $0.captureServiceRecorderDidStart(self) }
            } catch {
                self.report { $0.captureService(self, recorderDidFailWith: error) }
            }
        }
    }

    /// Completes the movie; `captureServiceRecorderDidStop(_:)` reports the end.
    public func stopRecording() {
        performInOrder {
            guard let writer = self.writer else { return self.log("no movie is being recorded") }
            self.lock.withLock { self.shared.isWriting = false }
            writer.stopWriting()
        }
    }

    /// Stops the recording and deletes the movie.
    public func cancelRecording() {
        performInOrder { self.cancelMovie() }
    }

    func cancelMovie() {
        writer?.cancelWriting()
        endMovie()
    }

    /// Runs a block on the writing queue, after the blocks that were submitted to the session queue before.
    func performInOrder(_ body: @escaping @Sendable () -> Void) {
        sessionQueue.async { self.writingQueue.async(execute: body) }
    }

    private func endMovie() {
        writer = nil
        lock.withLock { shared.isWriting = false }
    }

    private func makeMovieURL() throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent("Record-\(DispatchTime.now().uptimeNanoseconds).mp4")
    }

    /// H.264 in the size of the frames: width and height are swapped, because frames are rotated to portrait.
    private var defaultVideoSettings: [String: Any] {
        let size = cameraInput?.device.activeFormat.formatDescription.dimensions
        return [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: Int(size?.height ?? 720),
            AVVideoHeightKey: Int(size?.width ?? 1280),
        ]
    }

    /// Deletes the movies that the client has not moved.
    func deleteMovies() {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                try FileManager.default.removeItem(at: url)
            }
        } catch {
            fail(error)
        }
    }
}

extension CaptureService: VideoWriterDelegate {
    func videoWriter(_ writer: VideoWriter, didFailWith error: any Error) {
        guard writer === self.writer else { return }
        endMovie()
        report { $0.captureService(self, recorderDidFailWith: error) }
    }

    func videoWriter(_ writer: VideoWriter, didCompleteWith error: (any Error)?) {
        guard writer === self.writer else { return }
        endMovie()
        if let error {
            report { $0.captureService(self, recorderDidFailWith: error) }
        } else {
            report { $0.captureServiceRecorderDidStop(self) }
        }
    }
}
