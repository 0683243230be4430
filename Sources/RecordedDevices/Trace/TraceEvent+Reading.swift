import CaptureHAL
import Foundation
import MediaTypes

extension TraceEvent {
    /// Reads a line of the index; everything on it must be understood.
    init(_ line: TraceLine) throws(TraceComplaint) {
        var line = line
        guard (0...TraceLine.farthestNanoseconds).contains(line.time) else {
            throw TraceComplaint(
                "the time \(TraceLine.seconds(line.time)) is not between 0 and \(TraceLine.farthest.value) s")
        }
        time = line.time
        content = try Self.content(&line)
        try line.finish()
    }

    private static func content(_ line: inout TraceLine) throws(TraceComplaint) -> Content {
        switch line.verb {
        case "host": return .host(name: try line.need("name"))
        case "device": return try device(&line)
        case "format":
            return .format(
                device: try line.subject("d"), number: try line.need("number"), try line.takeFormat())
        case "connected": return .connected(try line.subject("d"))
        case "disconnected": return .disconnected(try line.subject("d"))
        case "in-use": return .inUse(try line.subject("d"), try line.need("answer"))
        case "open":
            return .open(
                device: try line.subject("d"),
                try line.takeAnswer { (line) throws(TraceComplaint) in try line.need("as", "o") })
        case "control":
            return .control(
                open: try line.subject("o"), try line.need("name"), try line.need("range"), try line.take("value"))
        case "value":
            return .value(
                open: try line.subject("o"), try line.need("control"),
                try line.takeAnswer { (line) throws(TraceComplaint) in try line.need("answer") })
        case "set":
            return .set(
                open: try line.subject("o"), try line.need("control"), try line.need("to"),
                try line.takeAnswer { (_) throws(TraceComplaint) in })
        case "changed": return .changed(open: try line.subject("o"), try line.need("control"), try line.need("to"))
        case "stream":
            var configuration = TraceConfiguration(
                format: try line.need("format"), frameDuration: try line.needLength("duration"),
                bufferCount: try line.need("buffers"))
            if let depth: DepthStreamFormat = try line.take("depth") {
                configuration.depth = DepthConfiguration(
                    format: depth, frameDuration: try line.needLength("depth-duration"))
            }
            return .stream(
                open: try line.subject("o"), configuration,
                try line.takeAnswer { (line) throws(TraceComplaint) in try line.need("as", "s") })
        case "close": return .close(try line.subject("o"))
        case "start": return .start(try line.subject("s"))
        case "refused": return .refused(try line.subject("s"), try line.needError())
        case "again": return .again(try line.subject("s"), try line.needError())
        case "rate":
            return .rate(
                stream: try line.subject("s"), try line.needLength("duration"),
                try line.takeAnswer { (_) throws(TraceComplaint) in })
        case "stop": return .stop(try line.subject("s"))
        case "look": return try look(&line)
        case "frame": return try frame(&line)
        case "sound":
            let sound = TraceSound(
                format: try line.takeAudioFormat(), frameCount: try line.need("frames"),
                presentationTime: try line.needMoment("at"), samplePosition: try line.need("position"),
                followsDiscontinuity: try line.take("gap") ?? false, bytes: try line.need("data"))
            guard sound.frameCount >= 0 else { throw TraceComplaint("frames=\(sound.frameCount) is less than nothing") }
            return .sound(stream: try line.subject("s"), sound)
        case "dropped":
            let drop = DroppedFrame(
                reason: try line.need("reason"), presentationTime: try line.needMomentOrNone("at"),
                sequenceNumber: try line.need("number"), message: try line.need("message"),
                carriesDepth: try line.take("depth") ?? false)
            return .dropped(stream: try line.subject("s"), drop)
        case "failed":
            return .failed(stream: try line.subject("s"), try line.needError(), time: try line.needMomentOrNone("at"))
        case "ended": return .ended(stream: try line.subject("s"), time: try line.needMomentOrNone("at"))
        case "limit":
            try line.expectNoSubject()
            return .limit(try line.need("bytes"))
        case "end":
            try line.expectNoSubject()
            return .end
        default: throw TraceComplaint("\"\(line.verb)\" is nothing that happens in a trace")
        }
    }

    private static func device(_ line: inout TraceLine) throws(TraceComplaint) -> Content {
        let media: TraceList<DeviceMedia> = try line.need("media")
        var descriptor = DeviceDescriptor(
            uniqueID: try line.need("id"), modelID: try line.need("model"), localizedName: try line.need("name"),
            manufacturer: try line.need("maker"), kind: try line.need("kind"), position: try line.need("position"),
            media: Set(media.elements), mountingAngle: try line.need("angle"),
            showsThePast: try line.take("past") ?? false, transport: try line.take("transport") ?? .unknown,
            housing: line.take("housing"))
        guard [0, 90, 180, 270].contains(descriptor.mountingAngle) else {
            throw TraceComplaint("angle=\(descriptor.mountingAngle) is not 0, 90, 180 or 270")
        }
        if let text: String = line.take("parts") {
            let parts = text.split(separator: ",").map(String.init)
            let switches: TraceList<Double> = try line.need("switches")
            guard switches.elements.count == parts.count - 1 else {
                throw TraceComplaint("switches has to have one number fewer than parts has names")
            }
            (descriptor.constituentIDs, descriptor.switchOverZoomFactors) = (parts, switches.elements)
        }
        if let aperture: Double = try line.take("aperture") {
            descriptor.lens = LensDescriptor(
                aperture: aperture, focalLengthMillimetres: try line.need("focal"),
                equivalentFocalLengthMillimetres: try line.need("equivalent"),
                minimumFocusDistanceMillimetres: try line.take("nearest"))
        }
        if let red: Double = try line.take("red") {
            descriptor.color = ColorResponse(red: red, blue: try line.need("blue"))
        }
        let formatCount: Int = try line.need("formats")
        guard (0...100_000).contains(formatCount) else {
            throw TraceComplaint("formats=\(formatCount) is not between 0 and 100000")
        }
        return .device(try line.subject("d"), descriptor, formatCount: formatCount)
    }

    private static func look(_ line: inout TraceLine) throws(TraceComplaint) -> Content {
        var attachments = TraceAttachments()
        for field in line.fields {
            guard let colon = field.name.firstIndex(of: ":") else { continue }
            let key = String(field.name[field.name.index(after: colon)...])
            switch field.name[..<colon] {
            case "text", "local-text":
                attachments.entries[key] = .init(
                    value: .text(try line.need(field.name)), propagates: field.name.hasPrefix("text"))
            case "number", "local-number":
                attachments.entries[key] = .init(
                    value: .number(try line.need(field.name)), propagates: field.name.hasPrefix("number"))
            default: continue
            }
        }
        let lost: String? = line.take("lost")
        attachments.lost = lost?.split(separator: ",").map(String.init) ?? []
        return .look(try line.subject("a"), attachments)
    }

    private static func frame(_ line: inout TraceLine) throws(TraceComplaint) -> Content {
        let shape: TraceFrame.Shape
        if let code: TraceCode = try line.take("compressed") {
            shape = .compressed(code.code)
        } else {
            let (code, size): (TraceCode, CMVideoDimensions) = (try line.need("pixels"), try line.need("size"))
            guard PixelFormat.format(of: code.code) != nil else {
                throw TraceComplaint("pixels=\(code.traceText) is no pixel format")
            }
            guard (1...65536).contains(size.width), (1...65536).contains(size.height) else {
                throw TraceComplaint("size=\(size.traceText) is no size of a picture")
            }
            shape = .pixels(code.code, size)
        }
        let seconds = try line.takeFinite("date")
        let settings = FrameSettings(
            exposureDuration: try line.take("exposure"), iso: try line.takeFinite("iso"),
            aperture: try line.takeFinite("aperture"), lensPosition: try line.takeFinite("lens"),
            zoomFactor: try line.takeFinite("zoom"), flashFired: try line.take("flash") ?? false,
            whiteBalanceKelvin: try line.takeFinite("kelvin"),
            date: seconds.map { Date(timeIntervalSince1970: $0) })
        let lookText: String? = line.take("look")
        var look: Int?
        if let lookText { look = try TraceLine.number(lookText, "a") }
        let frame = TraceFrame(
            shape: shape, presentationTime: try line.needMoment("at"), duration: try line.needLength("duration"),
            sequenceNumber: try line.need("number"), settings: settings, look: look, depth: try line.takeDepth(),
            bytes: try line.need("data"))
        return .frame(stream: try line.subject("s"), frame)
    }
}

extension TraceLine {
    func subject(_ prefix: Character) throws(TraceComplaint) -> Int { try Self.number(subject, prefix) }

    func expectNoSubject() throws(TraceComplaint) {
        guard subject == "-" else { throw TraceComplaint("\"\(verb)\" is about nothing, so \"-\" stands behind it") }
    }

    mutating func takeFormat() throws(TraceComplaint) -> StreamFormat {
        // Looked at, not taken: both readers below take it.
        switch fields.first(where: { $0.name == "media" })?.value {
        case "video": return .video(try takeVideoFormat())
        case "audio": return .audio(try takeAudioFormat())
        default: throw TraceComplaint("a format has media=video or media=audio")
        }
    }

    private mutating func takeVideoFormat() throws(TraceComplaint) -> VideoStreamFormat {
        _ = try need("media", as: DeviceMedia.self)
        let encoding: VideoStreamFormat.Encoding
        if let code: TraceCode = try take("compressed") {
            encoding = .compressed(code.code)
        } else {
            encoding = .pixels(try need("pixels", as: TraceCode.self).code)
        }
        return VideoStreamFormat(
            dimensions: try need("size"), encoding: encoding,
            frameDurations: try need("durations", as: TraceList<FrameDurationRange>.self).elements,
            horizontalFieldOfView: try needFinite("view"), isBinned: try need("binned"),
            photoDimensions: try need("photos", as: TraceList<CMVideoDimensions>.self).elements,
            maximumZoomFactor: try needFinite("zoom"), zoomUpscaleThreshold: try needFinite("upscale"),
            exposureDurations: try take("exposure", as: TraceRange.self)?.range,
            isoRange: try take("iso", as: TraceRange.self)?.range, isHDRSupported: try take("hdr") ?? false,
            stabilizationModes: Set(try take("steady", as: TraceList<VideoStabilization>.self)?.elements ?? []),
            depthFormats: try take("depths", as: TraceList<DepthStreamFormat>.self)?.elements ?? [],
            depthZoomFactors: try take("depth-zoom", as: TraceRange.self)?.range)
    }

    mutating func takeAudioFormat() throws(TraceComplaint) -> AudioStreamFormat {
        guard try need("media", as: DeviceMedia.self) == .audio else {
            throw TraceComplaint("the format of sound has media=audio")
        }
        let format = AudioStreamFormat(
            sampleRate: try need("rate"), channelCount: try need("channels"), sample: try need("sample"))
        guard format.sampleRate >= 1, format.sampleRate < 1e9, (1...1024).contains(format.channelCount) else {
            throw TraceComplaint("\(format.sampleRate) Hz with \(format.channelCount) channels is no sound")
        }
        return format
    }

    mutating func takeError() throws(TraceComplaint) -> DeviceError? {
        guard let code: DeviceError.Code = try take("error") else { return nil }
        return DeviceError(code, device: try need("device"), try need("message"))
    }

    mutating func needError() throws(TraceComplaint) -> DeviceError {
        guard let error = try takeError() else { throw TraceComplaint("\"\(verb)\" lacks error=") }
        return error
    }

    mutating func takeAnswer<Value>(
        _ success: (inout TraceLine) throws(TraceComplaint) -> Value
    ) throws(TraceComplaint) -> TraceAnswer<Value> {
        if let error = try takeError() { return .failure(error) }
        return .success(try success(&self))
    }
}
