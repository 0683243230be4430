import CaptureHAL
import MediaTypes
import ThreeA

/// A frame of a stream from which a still can be formed again, at any size.
struct RecentFrame {
    /// The start of the exposure.
    let nanoseconds: Int64
    /// The sequence number of the frame.
    let index: UInt64
    /// The state with which the frame was rendered.
    let state: CameraState
}

/// Forms the stills of a camera beside the frames of its stream.
///
/// A phone retains its last frames at the size of the sensor. The simulated camera retains the state of each frame
/// instead, and forms the frame when a still needs it.
///
/// Confined to the stream's generator.
final class StillCamera {
    /// The number of frames that the camera retains.
    static let recentFrameCount = 8

    private let camera: SimCamera
    private let streamRenderer: FrameRenderer
    private let format: VideoStreamFormat
    private let pixelFormat: OSType?
    private let hasMarker: Bool
    private var recent: [RecentFrame] = []
    /// The renderer of the last still with a size other than that of the stream.
    private var renderer: FrameRenderer?

    /// Creates the stills of a stream.
    ///
    /// - Parameter renderer: The renderer of the stream's frames, used for stills of their size.
    init(_ camera: SimCamera, _ renderer: FrameRenderer, _ format: VideoStreamFormat, hasMarker: Bool) {
        self.camera = camera
        streamRenderer = renderer
        self.format = format
        self.hasMarker = hasMarker
        pixelFormat = NativeFrameEncoder.renderedFormat(for: format.encoding)
    }

    /// Forgets the frames of an earlier run of the stream.
    func begin() { recent = [] }

    /// Retains a frame in place of the oldest one.
    func retain(_ frame: RecentFrame) {
        if recent.count == Self.recentFrameCount { recent.removeFirst() }
        recent.append(frame)
    }

    /// Captures a still.
    ///
    /// - Parameter frame: The frame that was generated and retained last.
    func capture(_ shot: StillShot, with frame: VideoFrame) -> StillFrame {
        var still = StillFrame(
            requestID: shot.request.id, exposureIndex: shot.exposureIndex, presentationTime: frame.presentationTime)
        guard let current = recent.last else {
            still.error = DeviceError(.inputOutput, device: camera.deviceID, "the camera retains no frame")
            return still
        }
        let reference = reference(of: shot) ?? current
        var state = reference.state
        state.apply(shot.exposure)
        if shot.request.firesFlash, state.lamps.isFlashArmed,
            let buffer = try? makeBuffer(format.size, state.colorSpace)
        {
            state = FlashMeter(streamRenderer, buffer, time: reference.nanoseconds).metered(state)
        }
        let isStreamExposure = state.exposure == reference.state.exposure
        let sources = isStreamExposure ? merged(with: reference, count: shot.request.mergedFrameCount) : [reference]
        still.presentationTime = CMTime(nanoseconds: reference.nanoseconds)
        still.settings = state.settings
        still.mergedFrameCount = sources.count
        let isStreamFrame = reference.index == current.index && isStreamExposure
        if isStreamFrame { still.depth = frame.depth }
        if shot.request.deliversRAW {
            do throws(DeviceError) {
                still.raw = try rawFrame(of: reference, shot.request.size, state)
            } catch {
                still.error = error
                return still
            }
        }
        guard shot.request.deliversImage else { return still }
        let isStreamImage = isStreamFrame && sources.count == 1 && shot.request.size == format.size
        // The flash shows in eyes, which the image of the stream does not contain.
        if isStreamImage, !state.lamps.isFlashArmed {
            still.payload = frame.payload
        } else {
            do throws(DeviceError) {
                let image = try image(of: sources, shot.request.size, state)
                if !shot.request.reducesRedEye { fillPupils(image, of: reference, shot.request.size, state) }
                still.payload = .pixels(image)
            } catch {
                still.error = error
                return still
            }
        }
        still.mattes = mattes(shot.request, of: reference, state)
        return still
    }

    /// Fills the pupils of people who look into the flash with the red of the retina.
    private func fillPupils(
        _ image: CVPixelBuffer, of frame: RecentFrame, _ size: PixelSize, _ state: CameraState
    ) {
        guard state.lamps.isFlashArmed, !state.isShutterClosed else { return }
        let renderer = renderer(for: size)
        let lux = renderer.light.at(nanoseconds: frame.nanoseconds).lux
        image.fillRed(renderer.pupils(at: frame.nanoseconds, state: state).filter { $0.glows(lux: lux) })
    }

    /// Returns the requested mattes of the image that was formed last; empty if it shows no recognizable person.
    private func mattes(
        _ request: StillRequest, of frame: RecentFrame, _ state: CameraState
    ) -> [StillMatte: CVPixelBuffer] {
        let renderer = renderer(for: request.size)
        guard !request.mattes.isEmpty, !renderer.detectFaces(at: frame.nanoseconds, state: state).isEmpty else {
            return [:]
        }
        let scene = SceneMattes(renderer, request.size, at: frame.nanoseconds)
        var mattes: [StillMatte: CVPixelBuffer] = [:]
        for kind in request.mattes { mattes[kind] = scene.matte(kind) }
        return mattes
    }

    /// Returns the retained frame that a request selects; nil for the next frame.
    private func reference(of shot: StillShot) -> RecentFrame? {
        guard case .recent(let time) = shot.request.timing, shot.exposureIndex == 0, !shot.request.firesFlash,
            case .metered = shot.exposure
        else { return nil }
        return recent.last { $0.nanoseconds <= time.nanoseconds && $0.nanoseconds > shot.lastStart }
    }

    /// Returns a frame and the retained frames before it that have about the same exposure, the latest first.
    private func merged(with reference: RecentFrame, count: Int) -> [RecentFrame] {
        let product = reference.state.exposure.product
        let earlier = recent.reversed().drop { $0.index >= reference.index }.prefix { frame in
            !frame.state.lamps.isFlashArmed && abs(frame.state.exposure.product / product - 1) < 0.05
                && frame.state.isShutterClosed == reference.state.isShutterClosed
        }
        return [reference] + earlier.prefix(reference.state.lamps.isFlashArmed ? 0 : count - 1)
    }

    /// Forms an image of one or more frames.
    ///
    /// - Parameters:
    ///   - frames: The frames to merge; the first one determines the content where the others differ.
    ///   - state: The state with which all frames are formed.
    private func image(
        of frames: [RecentFrame], _ size: PixelSize, _ state: CameraState
    ) throws(DeviceError) -> CVPixelBuffer {
        let renderer = renderer(for: size)
        let result = try makeBuffer(size, state.colorSpace)
        renderer.render(result, time: frames[0].nanoseconds, state: state)
        var others: [CVPixelBuffer] = []
        for frame in frames.dropFirst() {
            let other = try makeBuffer(size, state.colorSpace)
            renderer.render(other, time: frame.nanoseconds, state: state, alignedWith: frames[0].nanoseconds)
            others.append(other)
        }
        if !others.isEmpty, !result.merge(others) {
            throw DeviceError(.outOfResources, device: camera.deviceID, "memory ran out while frames were merged")
        }
        if hasMarker {
            FrameMarker(
                counter: UInt32(truncatingIfNeeded: frames[0].index), nanoseconds: frames[0].nanoseconds
            ).draw(on: result)
        }
        return result
    }

    /// Forms the samples of the sensor of one frame; frames are not merged.
    private func rawFrame(
        of frame: RecentFrame, _ size: PixelSize, _ state: CameraState
    ) throws(DeviceError) -> RawSensorFrame {
        guard
            let samples = CVPixelBuffer(
                width: Int(size.width), height: Int(size.height), pixelFormat: kCVPixelFormatType_14Bayer_RGGB)
        else {
            throw DeviceError(
                .outOfResources, device: camera.deviceID,
                "cannot create the buffer of a RAW image of \(size.width)x\(size.height)")
        }
        return renderer(for: size).renderRAW(samples, time: frame.nanoseconds, state: state)
    }

    private func renderer(for size: PixelSize) -> FrameRenderer {
        var selected = streamRenderer
        if size != format.size {
            if let renderer, renderer.view.width == Int(size.width), renderer.view.height == Int(size.height) {
                selected = renderer
            } else {
                selected = camera.makeRenderer(camera.view(of: size), pixelFormat)
                renderer = selected
            }
        }
        selected.setRotation(camera.device.rotation)
        return selected
    }

    private func makeBuffer(_ size: PixelSize, _ colorSpace: CameraColorSpace) throws(DeviceError) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            nil, Int(size.width), Int(size.height), pixelFormat ?? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            [kCVPixelBufferBytesPerRowAlignmentKey: 64], &buffer)
        guard let buffer else {
            throw DeviceError(
                .outOfResources, device: camera.deviceID, "cannot create the buffer of a still (CVReturn \(status))")
        }
        for (key, value) in colorSpace.attachments { CVBufferSetAttachment(buffer, key, value, .shouldPropagate) }
        return buffer
    }
}

extension CameraState {
    /// Changes the exposure to that of a still.
    mutating func apply(_ still: StillRequest.Exposure) {
        switch still {
        case .metered: break
        case .biased(let bias):
            let factor = RepeatableMath.exp2(bias - exposureControl.bias)
            exposure = exposureControl.loop.program.exposure(
                product: exposure.product * factor,
                longest: min(exposureControl.frameSeconds, exposureControl.limit ?? defaultExposureLimit))
            exposureControl.bias = bias
        case .custom(let seconds, let iso):
            if let seconds { exposure.nanoseconds = max(1, Int64((seconds * 1e9).rounded())) }
            if let iso { exposure.iso = iso }
            exposureControl.mode = .custom
        }
    }
}
