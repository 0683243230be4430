import CaptureHAL
import Dispatch
import Foundation
import MediaTypes

/// A stream of `FakeHost`, paced by a virtual clock.
final class FakeStream: DeviceStream {
    private struct State {
        var configuration: StreamConfiguration
        var receiver: (any StreamReceiver)?
        /// Incremented at each start and end. Events scheduled for another generation are not delivered.
        var generation = 0
        var sequenceNumber: UInt64 = 0
        var samplePosition: Int64 = 0
        var isInvalid = false
        var isDelivering = false
        var lostCount = 0
        var hasGap = false
        var pool: CVPixelBufferPool?
        /// The buffer that the defect `overwritesRetainedFrames` uses for all frames.
        var sharedBuffer: CVPixelBuffer?
    }

    private let defect: FakeHost.Defect?
    private let owner: FakeDevice
    /// Weak, so that releasing the device ends its streams.
    private weak let opened: FakeOpenDevice?
    private let clock: SimClock
    private let state: Lock<State>

    init(_ opened: FakeOpenDevice, _ configuration: StreamConfiguration) {
        (self.opened, owner, defect, clock) = (opened, opened.device, opened.device.defect, opened.device.clock)
        state = Lock(State(configuration: configuration))
    }

    deinit { stop() }

    var configuration: StreamConfiguration { state.withLock { $0.configuration } }
    var isRunning: Bool { state.withLock { $0.receiver != nil } }

    func start(_ receiver: any StreamReceiver) throws(DeviceError) {
        try owner.check()
        let generation = state.withLock { state -> Int? in
            let canStart = state.receiver == nil || defect == .startsTwice
            let isCurrent = !state.isInvalid || defect == .worksWhenClosed
            guard canStart, isCurrent else { return nil }
            state.receiver = receiver
            state.generation += 1
            if defect != .doesNotResetCounters { (state.sequenceNumber, state.samplePosition) = (0, 0) }
            return state.generation
        }
        guard let generation else { throw owner.error(.invalidState, "the stream cannot start now") }
        scheduleEvent(generation, at: clock.now + eventInterval)
    }

    func stop() {
        let isDelivering = state.withLock { $0.isDelivering }
        if defect == .hangsInStop, isDelivering { DispatchSemaphore(value: 0).wait() }
        if isDelivering, defect == .ignoresStopInside { return }
        if defect == .deliversAfterStop, isRunning, !isDelivering {
            let receiver = state.withLock { $0.receiver }
            clock.schedule(at: clock.now + eventInterval) { receiver?.receive(.ended(time: .zero)) }
        }
        end()
    }

    /// Stops the stream, since its device was closed or has created another stream. It cannot start again.
    func invalidate() {
        if defect == .ignoresCloseInside, state.withLock({ $0.isDelivering }) { return }
        state.withLock { $0.isInvalid = true }
        stop()
    }

    func setFrameDuration(_ duration: CMTime) throws(DeviceError) {
        guard defect == .acceptsAnyDuration || opened?.accepts(configuration.format, duration) == true else {
            throw owner.error(.unsupportedFormat, "the format has no such frame duration")
        }
        guard duration.isNumeric, duration > .zero else { return }
        state.withLock { $0.configuration.frameDuration = duration }
    }

    func loseFrames(_ count: Int) { state.withLock { $0.lostCount = count } }

    func fail(_ code: DeviceError.Code) {
        guard let receiver = state.withLock({ $0.receiver }) else { return }
        end()
        let (error, now) = (owner.error(code, "the device failed"), clock.now)
        clock.schedule(at: now) { [defect] in
            receiver.receive(.failed(error, time: now))
            if defect == .failsTwice { receiver.receive(.failed(error, time: now)) }
        }
    }

    // MARK: Private

    private func end() {
        state.withLock { state in
            state.receiver = nil
            state.generation += 1
        }
    }

    private var eventInterval: CMTime {
        guard case .video = configuration.format else { return CMTime(value: 1, timescale: 100) }
        return defect == .ignoresFrameRate ? CMTime(value: 1, timescale: 60) : configuration.frameDuration
    }

    private func scheduleEvent(_ generation: Int, at time: CMTime) {
        clock.schedule(at: time) { [weak self] in self?.deliverEvent(generation, time) }
    }

    private func deliverEvent(_ generation: Int, _ time: CMTime) {
        let receiver = state.withLock { $0.generation == generation ? $0.receiver : nil }
        guard let receiver else { return }
        // The stream with the defect `endsTwice` ends at frame 20.
        let isEnd =
            defect == .endsTwice && configuration.format.media == .video
            && state.withLock { $0.sequenceNumber } == 20
        let event = isEnd ? .ended(time: time) : event(at: time)
        state.withLock { $0.isDelivering = true }
        if let event { receiver.receive(event) }
        if isEnd {
            receiver.receive(.ended(time: time))
            end()
        }
        state.withLock { $0.isDelivering = false }
        if state.withLock({ $0.generation == generation }) { scheduleEvent(generation, at: time + eventInterval) }
    }

    private func event(at time: CMTime) -> StreamEvent? {
        switch configuration.format {
        case .video(let video): videoEvent(video, at: time)
        case .audio(let audio): audioEvent(audio, at: time)
        }
    }

    private func videoEvent(_ video: VideoStreamFormat, at time: CMTime) -> StreamEvent? {
        let (number, isLost) = state.withLock { state in
            defer {
                state.sequenceNumber += 1
                state.lostCount = max(0, state.lostCount - 1)
            }
            return (state.sequenceNumber, state.lostCount > 0)
        }
        let dropped = DroppedFrame(reason: .outOfBuffers, presentationTime: time, sequenceNumber: number)
        if isLost {
            var lost = dropped
            lost.reason = .discontinuity
            return defect == .hidesLostFrames ? nil : .dropped(lost)
        }
        guard let pixels = makePixels(video) else { return defect == .hidesPoolExhaustion ? nil : .dropped(dropped) }
        pixels.withPlane(0) { plane in
            let byteCount = plane.bytesPerRow * plane.height
            plane.baseAddress.initializeMemory(as: UInt8.self, repeating: UInt8(number & 0xff), count: byteCount)
        }
        let shift = defect == .hasDescendingTimes && number % 2 == 1 ? CMTime(value: 1, timescale: 9) : .zero
        return .video(
            VideoFrame(
                payload: .pixels(pixels), presentationTime: time - shift, duration: eventInterval,
                sequenceNumber: number,
                settings: opened?.settings ?? FrameSettings()))
    }

    private func makePixels(_ video: VideoStreamFormat) -> CVPixelBuffer? {
        let width = Int(video.dimensions.width) / (defect == .deliversAnotherSize ? 2 : 1)
        let (pool, sharedBuffer) = state.withLock { state in
            let pool =
                state.pool
                ?? CVPixelBufferPool(
                    width: width, height: Int(video.dimensions.height), pixelFormat: kCVPixelFormatType_32BGRA,
                    maximumBufferCount: state.configuration.bufferCount)
            state.pool = pool
            return (pool, state.sharedBuffer)
        }
        guard defect == .overwritesRetainedFrames else { return pool.makeBuffer() }
        let used = sharedBuffer ?? pool.makeBuffer()
        state.withLock { $0.sharedBuffer = used }
        return used
    }

    private func audioEvent(_ audio: AudioStreamFormat, at time: CMTime) -> StreamEvent? {
        let frameCount = 480
        let (position, isLost, hasGap) = state.withLock { state in
            let isLost = state.lostCount > 0
            defer {
                // The defect `skipsAudioSamples` skips 7 samples after each chunk.
                state.samplePosition += Int64(frameCount) + (defect == .skipsAudioSamples ? 7 : 0)
                state.lostCount = max(0, state.lostCount - 1)
                state.hasGap = isLost
            }
            return (state.samplePosition, isLost, state.hasGap)
        }
        if isLost { return nil }
        let byteCount = frameCount * audio.bytesPerFrame / (defect == .deliversHalfChunks ? 2 : 1)
        let isMuted = opened?.isMuted ?? false
        let bytes = [UInt8](repeating: isMuted ? 0 : 1, count: byteCount)
        return .audio(
            AudioChunk(
                data: bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }, format: audio, frameCount: frameCount,
                presentationTime: time, samplePosition: position,
                followsDiscontinuity: hasGap && defect != .hidesLostFrames))
    }
}
