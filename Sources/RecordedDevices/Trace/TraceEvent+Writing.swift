import CaptureHAL
import Foundation
import MediaTypes

extension TraceEvent {
    /// The event as a line of the index.
    var line: TraceLine {
        switch content {
        case .host(let name):
            var line = TraceLine(time, "host", "-")
            line.add("name", name)
            return line
        case .device(let device, let descriptor, let formatCount):
            return deviceLine(device, descriptor, formatCount)
        case .format(let device, let number, let format):
            var line = TraceLine(time, "format", "d\(device)")
            line.add("number", number)
            switch format {
            case .video(let video): line.add(video)
            case .audio(let audio): line.add(audio)
            }
            return line
        case .connected(let device): return TraceLine(time, "connected", "d\(device)")
        case .disconnected(let device): return TraceLine(time, "disconnected", "d\(device)")
        case .inUse(let device, let answer):
            var line = TraceLine(time, "in-use", "d\(device)")
            line.add("answer", answer)
            return line
        case .open(let device, let result):
            var line = TraceLine(time, "open", "d\(device)")
            line.add(result) { $0.add("as", "o\($1)") }
            return line
        case .control(let open, let control, let range, let value):
            var line = TraceLine(time, "control", "o\(open)")
            line.add("name", control)
            line.add("range", range)
            line.add("value", value)
            return line
        case .value(let open, let control, let result):
            var line = TraceLine(time, "value", "o\(open)")
            line.add("control", control)
            line.add(result) { $0.add("answer", $1) }
            return line
        case .set(let open, let control, let value, let result):
            var line = TraceLine(time, "set", "o\(open)")
            line.add("control", control)
            line.add("to", value)
            line.add(result) { _, _ in }
            return line
        case .changed(let open, let control, let value):
            var line = TraceLine(time, "changed", "o\(open)")
            line.add("control", control)
            line.add("to", value)
            return line
        case .stream(let open, let configuration, let result):
            var line = TraceLine(time, "stream", "o\(open)")
            line.add("format", configuration.format)
            line.add("duration", configuration.frameDuration)
            line.add("buffers", configuration.bufferCount)
            line.add("depth", configuration.depth?.format)
            line.add("depth-duration", configuration.depth?.frameDuration)
            line.add(result) { $0.add("as", "s\($1)") }
            return line
        case .close(let open): return TraceLine(time, "close", "o\(open)")
        case .start(let stream): return TraceLine(time, "start", "s\(stream)")
        case .startFailed(let stream, let error):
            var line = TraceLine(time, "refused", "s\(stream)")
            line.add(error)
            return line
        case .startWhileRunningFailed(let stream, let error):
            var line = TraceLine(time, "again", "s\(stream)")
            line.add(error)
            return line
        case .setFrameDuration(let stream, let duration, let result):
            var line = TraceLine(time, "rate", "s\(stream)")
            line.add("duration", duration)
            line.add(result) { _, _ in }
            return line
        case .stop(let stream): return TraceLine(time, "stop", "s\(stream)")
        case .attachments(let number, let attachments): return attachmentsLine(number, attachments)
        case .frame(let stream, let frame): return frameLine(stream, frame)
        case .audio(let stream, let audio):
            var line = TraceLine(time, "sound", "s\(stream)")
            line.add("at", audio.presentationTime)
            line.add("frames", audio.frameCount)
            line.add("position", audio.samplePosition)
            if audio.followsDiscontinuity { line.add("gap", true) }
            line.add(audio.format)
            line.add("data", audio.bytes)
            return line
        case .dropped(let stream, let drop):
            var line = TraceLine(time, "dropped", "s\(stream)")
            line.add("number", drop.sequenceNumber)
            line.add("at", drop.presentationTime)
            line.add("reason", drop.reason)
            line.add("message", drop.message)
            if drop.carriesDepth { line.add("depth", true) }
            return line
        case .failed(let stream, let error, let presentationTime):
            var line = TraceLine(time, "failed", "s\(stream)")
            line.add("at", presentationTime)
            line.add(error)
            return line
        case .ended(let stream, let presentationTime):
            var line = TraceLine(time, "ended", "s\(stream)")
            line.add("at", presentationTime)
            return line
        case .limit(let count):
            var line = TraceLine(time, "limit", "-")
            line.add("bytes", count)
            return line
        case .end: return TraceLine(time, "end", "-")
        }
    }

    private func deviceLine(_ device: Int, _ descriptor: DeviceDescriptor, _ formatCount: Int) -> TraceLine {
        var line = TraceLine(time, "device", "d\(device)")
        line.add("id", descriptor.uniqueID)
        line.add("model", descriptor.modelID)
        line.add("name", descriptor.localizedName)
        line.add("maker", descriptor.manufacturer)
        line.add("kind", descriptor.kind)
        line.add("position", descriptor.position)
        line.add("media", TraceList(descriptor.media.sorted { $0.rawValue < $1.rawValue }))
        line.add("angle", descriptor.mountingAngle)
        if descriptor.isPrerecorded { line.add("past", true) }
        if descriptor.detectsFaces { line.add("faces", true) }
        if descriptor.movieCodec != .h264 { line.add("codec", descriptor.movieCodec) }
        if descriptor.encodesHEVCPhotos { line.add("heif", true) }
        if let stills = descriptor.stills {
            line.add("stills", stills.maximumExposureCount)
            line.add("stills-merged", stills.maximumMergedFrameCount)
            line.add("stills-recent", stills.recentFrameCount)
            if stills.reducesRedEye { line.add("red-eye", true) }
        }
        if descriptor.transport != .unknown { line.add("transport", descriptor.transport) }
        if let housing = descriptor.housing { line.add("housing", housing) }
        if !descriptor.constituentIDs.isEmpty {
            line.add("parts", descriptor.constituentIDs.joined(separator: ","))
            line.add("switches", TraceList(descriptor.switchOverZoomFactors))
        }
        if let lens = descriptor.lens {
            line.add("aperture", lens.aperture)
            if !lens.apertureStops.isEmpty { line.add("stops", TraceList(lens.apertureStops)) }
            line.add("focal", lens.focalLengthMillimeters)
            line.add("equivalent", lens.equivalentFocalLengthMillimeters)
            line.add("nearest", lens.minimumFocusDistanceMillimeters)
        }
        if let color = descriptor.color {
            line.add("red", color.red)
            line.add("blue", color.blue)
        }
        line.add("formats", formatCount)
        return line
    }

    private func attachmentsLine(_ number: Int, _ attachments: TraceAttachments) -> TraceLine {
        var line = TraceLine(time, "look", "a\(number)")
        for (key, entry) in attachments.entries.sorted(by: { $0.key < $1.key }) {
            let mode = entry.propagates ? "" : "local-"
            switch entry.value {
            case .text(let text): line.add("\(mode)text:\(key)", text)
            case .number(let number): line.add("\(mode)number:\(key)", number)
            }
        }
        if !attachments.lost.isEmpty { line.add("lost", attachments.lost.joined(separator: ",")) }
        return line
    }

    private func frameLine(_ stream: Int, _ frame: TraceFrame) -> TraceLine {
        var line = TraceLine(time, "frame", "s\(stream)")
        line.add("number", frame.sequenceNumber)
        line.add("at", frame.presentationTime)
        line.add("duration", frame.duration)
        switch frame.shape {
        case .pixels(let code, let size):
            line.add("size", size)
            line.add("pixels", TraceCode(code))
        case .compressed(let code): line.add("compressed", TraceCode(code))
        }
        let settings = frame.settings
        line.add("exposure", settings.exposureDuration)
        line.add("iso", settings.iso?.ifFinite)
        line.add("aperture", settings.aperture?.ifFinite)
        line.add("lens", settings.lensPosition?.ifFinite)
        line.add("zoom", settings.zoomFactor?.ifFinite)
        if settings.flashFired { line.add("flash", true) }
        line.add("kelvin", settings.whiteBalanceKelvin?.ifFinite)
        line.add("mode", settings.exposureMode?.rawValue)
        line.add("bias", settings.exposureBias?.ifFinite)
        line.add("meter-x", settings.meteringPoint?.x.ifFinite)
        line.add("meter-y", settings.meteringPoint?.y.ifFinite)
        line.add("balance", settings.whiteBalanceMode?.rawValue)
        line.add("constituent", settings.constituent)
        line.add("date", settings.date?.timeIntervalSince1970.ifFinite)
        line.add("look", frame.attachmentsNumber.map { "a\($0)" })
        if let depth = frame.depth { line.add(depth) }
        let faces = frame.faces.compactMap(\.ifFinite)
        if !faces.isEmpty { line.add("faces", TraceList(faces)) }
        if let still = frame.still {
            line.add("still", still.request)
            line.add("still-index", still.exposure)
            line.add("still-count", still.count)
            line.add("still-merged", still.merged)
        }
        line.add("data", frame.bytes)
        return line
    }
}

extension TraceLine {
    mutating func add(_ format: VideoStreamFormat) {
        add("media", DeviceMedia.video)
        add("size", format.dimensions)
        switch format.encoding {
        case .pixels(let code): add("pixels", TraceCode(code))
        case .compressed(let code): add("compressed", TraceCode(code))
        }
        add("durations", TraceList(format.frameDurations))
        add("view", format.horizontalFieldOfView)
        add("binned", format.isBinned)
        add("photos", TraceList(format.photoDimensions))
        add("zoom", format.maximumZoomFactor)
        add("upscale", format.zoomUpscaleThreshold)
        if !format.secondaryNativeZoomFactors.isEmpty { add("native", TraceList(format.secondaryNativeZoomFactors)) }
        add("exposure", format.exposureDurations.map(TraceRange.init))
        add("iso", format.isoRange.map(TraceRange.init))
        if format.isHDRSupported { add("hdr", true) }
        if format.colorSpaces.contains(.p3D65) { add("p3", true) }
        if format.colorSpaces.contains(.hlgBT2020) { add("hlg", true) }
        let modes = VideoStabilization.allCases.filter(format.stabilizationModes.contains)
        if !modes.isEmpty { add("steady", TraceList(modes)) }
        if !format.depthFormats.isEmpty { add("depths", TraceList(format.depthFormats)) }
        add("depth-zoom", format.depthZoomFactors.map(TraceRange.init))
    }

    mutating func add(_ format: AudioStreamFormat) {
        add("media", DeviceMedia.audio)
        add("rate", format.sampleRate)
        add("channels", format.channelCount)
        add("sample", format.sample)
    }

    mutating func add(_ error: DeviceError) {
        add("error", error.code)
        add("device", error.device)
        add("message", error.message)
    }

    mutating func add<Value>(_ result: TraceResult<Value>, _ write: (inout TraceLine, Value) -> Void) {
        switch result {
        case .success(let value): write(&self, value)
        case .failure(let error): add(error)
        }
    }
}

extension TraceBytes: TraceValue {
    static var traceSyntax: String { "\(TraceBlob.traceSyntax), over-limit or too-fast" }

    var traceText: String {
        switch self {
        case .recorded(let blob): blob.traceText
        case .overLimit: "over-limit"
        case .tooFast: "too-fast"
        }
    }

    init?(traceText: String) {
        switch traceText {
        case "over-limit": self = .overLimit
        case "too-fast": self = .tooFast
        default:
            guard let blob = TraceBlob(traceText: traceText) else { return nil }
            self = .recorded(blob)
        }
    }
}
