import CaptureHAL
import MediaTypes

extension AVPlayerItem {
    public var outputs: [AVPlayerItemOutput] { state.withLock { $0.outputs } }

    public func add(_ output: AVPlayerItemOutput) {
        guard output.attach(to: self) else {
            return system.misuse.report(
                .invalidArgument, "-[AVPlayerItem addOutput:] the output already belongs to an item")
        }
        state.withLock { $0.outputs.append(output) }
        if isReady { prepare(output) }
    }

    /// Loads the media that an output needs.
    func prepare(_ output: AVPlayerItemOutput) {
        worker.submit { [weak self, asset, system] in
            do {
                try output.load(asset)
            } catch {
                self?.fail(error)
                return
            }
            system.deliver(on: .main) { [weak self] in
                guard let self, output.item === self else { return }
                player?.outputsChanged(of: self)
                if let time = player?.time(of: self) { output.sequenceStarted(at: time) }
            }
        }
    }

    /// The times at which outputs deliver media, in ascending order.
    var outputBoundaries: [CMTime] { Set(outputs.flatMap(\.boundaries)).sorted() }

    public func remove(_ output: AVPlayerItemOutput) {
        state.withLock { $0.outputs.removeAll { $0 === output } }
        output.detach(from: self)
        player?.outputsChanged(of: self)
    }

    /// The decoder of the frames for layers; nil without video.
    var displayFrames: VideoFrameLoader? {
        if let existing = state.withLock({ $0.frames }) { return existing }
        let new = makeFrameLoader([kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
        return state.withLock { state in
            if state.frames == nil { state.frames = new }
            return state.frames
        }
    }

    /// Discards the decoder of displayed frames, and flushes the outputs.
    func discardDisplayedFrames() {
        state.withLock { $0.frames = nil }
        for output in outputs { output.flush() }
    }

    /// Decodes the frame at the current time on the item's worker.
    ///
    /// - Parameter completion: Called on the worker; false if the frame cannot be decoded.
    func decodeFrame(isReversed: Bool, completion: @escaping @Sendable (Bool) -> Void) {
        worker.submit { [weak self] in
            guard let self else { return completion(false) }
            do {
                _ = try displayFrames?.frame(at: currentTime(), isReversed: isReversed)
                completion(true)
            } catch {
                completion(false)
            }
        }
    }

    /// Returns the frame at the current time in BGRA; nil until the item is ready, or without video.
    func displayedFrame() -> CVPixelBuffer? {
        guard isReady, let loader = displayFrames else { return nil }
        do {
            return try loader.frame(at: currentTime(), isReversed: (player?.rate ?? 0) < 0)?.pixelBuffer
        } catch {
            fail(error)
            return nil
        }
    }

    /// Returns the frame that layers show; nil if a video output suppresses the rendering of layers.
    ///
    /// - Parameter settings: The format; nil for 32BGRA.
    func layerFrame(_ settings: [String: any Sendable]? = nil) -> CVPixelBuffer? {
        guard !outputs.contains(where: { $0 is AVPlayerItemVideoOutput && $0.suppressesPlayerRendering }) else {
            return nil
        }
        guard let settings else { return displayedFrame() }
        guard isReady, let loader = makeFrameLoader(settings) else { return nil }
        do {
            return try loader.frame(at: currentTime())?.pixelBuffer
        } catch {
            fail(error)
            return nil
        }
    }
}
