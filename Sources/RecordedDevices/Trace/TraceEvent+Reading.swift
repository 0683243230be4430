import CaptureHAL
import Foundation
import MediaTypes

extension TraceEvent {
    /// Parses a line of the index. Unknown fields are errors.
    init(_ line: TraceLine) throws(TraceSyntaxError) {
        var line = line
        guard (0...TraceLine.maximumOffsetNanoseconds).contains(line.time) else {
            throw TraceSyntaxError(
                "the time \(TraceLine.seconds(line.time)) is not between 0 and \(TraceLine.maximumOffset.value) s")
        }
        time = line.time
        content = try Self.content(&line)
        try line.requireNoFields()
    }

    private static func content(_ line: inout TraceLine) throws(TraceSyntaxError) -> Content {
        switch line.verb {
        case "host": return .host(name: try line.require("name"))
        case "device": return try device(&line)
        case "format":
            return .format(
                device: try line.subject("d"), number: try line.require("number"), try line.takeFormat())
        case "connected": return .connected(try line.subject("d"))
        case "disconnected": return .disconnected(try line.subject("d"))
        case "in-use": return .inUse(try line.subject("d"), try line.require("answer"))
        case "open":
            return .open(
                device: try line.subject("d"),
                try line.takeResult { (line) throws(TraceSyntaxError) in try line.require("as", "o") })
        case "control":
            return .control(
                open: try line.subject("o"), try line.require("name"), try line.require("range"), try line.take("value")
            )
        case "value":
            return .value(
                open: try line.subject("o"), try line.require("control"),
                try line.takeResult { (line) throws(TraceSyntaxError) in try line.require("answer") })
        case "set":
            return .set(
                open: try line.subject("o"), try line.require("control"), try line.require("to"),
                try line.takeResult { (_) throws(TraceSyntaxError) in })
        case "changed":
            return .changed(open: try line.subject("o"), try line.require("control"), try line.require("to"))
        case "stream":
            var configuration = TraceConfiguration(
                format: try line.require("format"), frameDuration: try line.requireDuration("duration"),
                bufferCount: try line.require("buffers"))
            if let depth: DepthStreamFormat = try line.take("depth") {
                configuration.depth = DepthConfiguration(
                    format: depth, frameDuration: try line.requireDuration("depth-duration"))
            }
            return .stream(
                open: try line.subject("o"), configuration,
                try line.takeResult { (line) throws(TraceSyntaxError) in try line.require("as", "s") })
        case "close": return .close(try line.subject("o"))
        case "start": return .start(try line.subject("s"))
        case "refused": return .startFailed(try line.subject("s"), try line.requireError())
        case "again": return .startWhileRunningFailed(try line.subject("s"), try line.requireError())
        case "rate":
            return .setFrameDuration(
                stream: try line.subject("s"), try line.requireDuration("duration"),
                try line.takeResult { (_) throws(TraceSyntaxError) in })
        case "stop": return .stop(try line.subject("s"))
        case "look": return try attachments(&line)
        case "frame": return try frame(&line)
        case "sound":
            let audio = TraceAudio(
                format: try line.takeAudioFormat(), frameCount: try line.require("frames"),
                presentationTime: try line.requireTime("at"), samplePosition: try line.require("position"),
                followsDiscontinuity: try line.take("gap") ?? false, bytes: try line.require("data"))
            guard audio.frameCount >= 0 else { throw TraceSyntaxError("frames=\(audio.frameCount) is negative") }
            return .audio(stream: try line.subject("s"), audio)
        case "dropped":
            let drop = DroppedFrame(
                reason: try line.require("reason"), presentationTime: try line.requireOptionalTime("at"),
                sequenceNumber: try line.require("number"), message: try line.require("message"),
                carriesDepth: try line.take("depth") ?? false)
            return .dropped(stream: try line.subject("s"), drop)
        case "failed":
            return .failed(
                stream: try line.subject("s"), try line.requireError(), time: try line.requireOptionalTime("at"))
        case "ended": return .ended(stream: try line.subject("s"), time: try line.requireOptionalTime("at"))
        case "limit":
            try line.expectNoSubject()
            return .limit(try line.require("bytes"))
        case "end":
            try line.expectNoSubject()
            return .end
        default: throw TraceSyntaxError("\"\(line.verb)\" is not a known verb")
        }
    }

    private static func device(_ line: inout TraceLine) throws(TraceSyntaxError) -> Content {
        let media: TraceList<DeviceMedia> = try line.require("media")
        var descriptor = DeviceDescriptor(
            uniqueID: try line.require("id"), modelID: try line.require("model"),
            localizedName: try line.require("name"),
            manufacturer: try line.require("maker"), kind: try line.require("kind"),
            position: try line.require("position"),
            media: Set(media.elements), mountingAngle: try line.require("angle"),
            isPrerecorded: try line.take("past") ?? false, detectsFaces: try line.take("faces") ?? false,
            movieCodec: try line.take("codec") ?? .h264, encodesHEVCPhotos: try line.take("heif") ?? false,
            transport: try line.take("transport") ?? .unknown,
            housing: line.take("housing"))
        guard [0, 90, 180, 270].contains(descriptor.mountingAngle) else {
            throw TraceSyntaxError("angle=\(descriptor.mountingAngle) is not 0, 90, 180 or 270")
        }
        if let count: Int = try line.take("stills") {
            descriptor.stills = StillCapabilities(
                maximumExposureCount: count, maximumMergedFrameCount: try line.require("stills-merged"),
                recentFrameCount: try line.require("stills-recent"), reducesRedEye: try line.take("red-eye") ?? false)
        }
        if let text: String = line.take("parts") {
            let parts = text.split(separator: ",").map(String.init)
            let switches: TraceList<Double> = try line.require("switches")
            guard switches.elements.count == parts.count - 1 else {
                throw TraceSyntaxError("switches must have one number fewer than parts has names")
            }
            (descriptor.constituentIDs, descriptor.switchOverZoomFactors) = (parts, switches.elements)
        }
        if let aperture: Double = try line.take("aperture") {
            descriptor.lens = LensDescriptor(
                aperture: aperture, apertureStops: try line.take("stops", as: TraceList<Double>.self)?.elements ?? [],
                focalLengthMillimeters: try line.require("focal"),
                equivalentFocalLengthMillimeters: try line.require("equivalent"),
                minimumFocusDistanceMillimeters: try line.take("nearest"))
        }
        if let red: Double = try line.take("red") {
            descriptor.color = ColorResponse(red: red, blue: try line.require("blue"))
        }
        let formatCount: Int = try line.require("formats")
        guard (0...100_000).contains(formatCount) else {
            throw TraceSyntaxError("formats=\(formatCount) is not between 0 and 100000")
        }
        return .device(try line.subject("d"), descriptor, formatCount: formatCount)
    }

    private static func attachments(_ line: inout TraceLine) throws(TraceSyntaxError) -> Content {
        var attachments = TraceAttachments()
        for field in line.fields {
            guard let colon = field.name.firstIndex(of: ":") else { continue }
            let key = String(field.name[field.name.index(after: colon)...])
            switch field.name[..<colon] {
            case "text", "local-text":
                attachments.entries[key] = .init(
                    value: .text(try line.require(field.name)), propagates: field.name.hasPrefix("text"))
            case "number", "local-number":
                attachments.entries[key] = .init(
                    value: .number(try line.require(field.name)), propagates: field.name.hasPrefix("number"))
            default: continue
            }
        }
        let lost: String? = line.take("lost")
        attachments.lost = lost?.split(separator: ",").map(String.init) ?? []
        return .attachments(try line.subject("a"), attachments)
    }

    private static func still(_ line: inout TraceLine) throws(TraceSyntaxError) -> TraceStill? {
        guard let request: UInt64 = try line.take("still") else { return nil }
        let still = TraceStill(
            request: request, exposure: try line.require("still-index"), count: try line.require("still-count"),
            merged: try line.require("still-merged"))
        guard (1...1000).contains(still.count), (0..<still.count).contains(still.exposure), still.merged > 0 else {
            throw TraceSyntaxError("still-index, still-count or still-merged is out of range")
        }
        return still
    }

    private static func frame(_ line: inout TraceLine) throws(TraceSyntaxError) -> Content {
        let shape: TraceFrame.Shape
        if let code: TraceCode = try line.take("compressed") {
            shape = .compressed(code.code)
        } else {
            let (code, size): (TraceCode, CMVideoDimensions) = (try line.require("pixels"), try line.require("size"))
            guard PixelFormat.format(of: code.code) != nil else {
                throw TraceSyntaxError("pixels=\(code.traceText) is not a known pixel format")
            }
            guard (1...65536).contains(size.width), (1...65536).contains(size.height) else {
                throw TraceSyntaxError("size=\(size.traceText) is not between 1x1 and 65536x65536")
            }
            shape = .pixels(code.code, size)
        }
        let seconds = try line.takeFinite("date")
        var meteringPoint: FrameSettings.Point?
        if let x = try line.takeFinite("meter-x"), let y = try line.takeFinite("meter-y") {
            meteringPoint = FrameSettings.Point(x: x, y: y)
        }
        let settings = FrameSettings(
            exposureDuration: try line.take("exposure"), iso: try line.takeFinite("iso"),
            aperture: try line.takeFinite("aperture"), lensPosition: try line.takeFinite("lens"),
            zoomFactor: try line.takeFinite("zoom"), flashFired: try line.take("flash") ?? false,
            whiteBalanceKelvin: try line.takeFinite("kelvin"),
            exposureMode: try line.takeMode("mode"), exposureBias: try line.takeFinite("bias"),
            meteringPoint: meteringPoint, whiteBalanceMode: try line.takeMode("balance"),
            constituent: try line.take("constituent"),
            date: seconds.map { Date(timeIntervalSince1970: $0) })
        let attachmentsText: String? = line.take("look")
        var attachmentsNumber: Int?
        if let attachmentsText { attachmentsNumber = try TraceLine.number(attachmentsText, "a") }
        let frame = TraceFrame(
            shape: shape, presentationTime: try line.requireTime("at"), duration: try line.requireDuration("duration"),
            sequenceNumber: try line.require("number"), settings: settings, attachmentsNumber: attachmentsNumber,
            depth: try line.takeDepth(),
            faces: try line.take("faces", as: TraceList<DetectedFace>.self)?.elements ?? [],
            still: try still(&line),
            bytes: try line.require("data"))
        return .frame(stream: try line.subject("s"), frame)
    }
}

extension TraceLine {
    /// Returns the number of the subject, such as 3 for `s3` with the prefix `s`.
    func subject(_ prefix: Character) throws(TraceSyntaxError) -> Int { try Self.number(subject, prefix) }

    mutating func takeMode(_ name: String) throws(TraceSyntaxError) -> ControlMode? {
        guard let number: Int64 = try take(name) else { return nil }
        guard let mode = ControlMode(rawValue: number) else {
            throw TraceSyntaxError("\(name)=\(number) is not a mode; there are 0 to 3")
        }
        return mode
    }

    func expectNoSubject() throws(TraceSyntaxError) {
        guard subject == "-" else { throw TraceSyntaxError("\"\(verb)\" has no subject and must be followed by \"-\"") }
    }

    mutating func takeFormat() throws(TraceSyntaxError) -> StreamFormat {
        // The field is not removed here, because both functions below remove it.
        switch fields.first(where: { $0.name == "media" })?.value {
        case "video": return .video(try takeVideoFormat())
        case "audio": return .audio(try takeAudioFormat())
        default: throw TraceSyntaxError("a format must have media=video or media=audio")
        }
    }

    private mutating func takeVideoFormat() throws(TraceSyntaxError) -> VideoStreamFormat {
        _ = try require("media", as: DeviceMedia.self)
        let encoding: VideoStreamFormat.Encoding
        if let code: TraceCode = try take("compressed") {
            encoding = .compressed(code.code)
        } else {
            encoding = .pixels(try require("pixels", as: TraceCode.self).code)
        }
        let hasWideColor = try take("p3") ?? false
        let hasHLG = try take("hlg") ?? false
        return VideoStreamFormat(
            dimensions: try require("size"), encoding: encoding,
            frameDurations: try require("durations", as: TraceList<FrameDurationRange>.self).elements,
            horizontalFieldOfView: try requireFinite("view"), isBinned: try require("binned"),
            photoDimensions: try require("photos", as: TraceList<CMVideoDimensions>.self).elements,
            maximumZoomFactor: try requireFinite("zoom"), zoomUpscaleThreshold: try requireFinite("upscale"),
            secondaryNativeZoomFactors: try take("native", as: TraceList<Double>.self)?.elements ?? [],
            exposureDurations: try take("exposure", as: TraceRange.self)?.range,
            isoRange: try take("iso", as: TraceRange.self)?.range, isHDRSupported: try take("hdr") ?? false,
            colorSpaces: [.bt709] + (hasWideColor ? [.p3D65] : []) + (hasHLG ? [.hlgBT2020] : []),
            stabilizationModes: Set(try take("steady", as: TraceList<VideoStabilization>.self)?.elements ?? []),
            depthFormats: try take("depths", as: TraceList<DepthStreamFormat>.self)?.elements ?? [],
            depthZoomFactors: try take("depth-zoom", as: TraceRange.self)?.range)
    }

    mutating func takeAudioFormat() throws(TraceSyntaxError) -> AudioStreamFormat {
        guard try require("media", as: DeviceMedia.self) == .audio else {
            throw TraceSyntaxError("an audio format must have media=audio")
        }
        let format = AudioStreamFormat(
            sampleRate: try require("rate"), channelCount: try require("channels"), sample: try require("sample"))
        guard format.sampleRate >= 1, format.sampleRate < 1e9, (1...1024).contains(format.channelCount) else {
            throw TraceSyntaxError(
                "\(format.sampleRate) Hz with \(format.channelCount) channels is not a supported audio format")
        }
        return format
    }

    mutating func takeError() throws(TraceSyntaxError) -> DeviceError? {
        guard let code: DeviceError.Code = try take("error") else { return nil }
        return DeviceError(code, device: try require("device"), try require("message"))
    }

    mutating func requireError() throws(TraceSyntaxError) -> DeviceError {
        guard let error = try takeError() else { throw TraceSyntaxError("\"\(verb)\" requires error=") }
        return error
    }

    mutating func takeResult<Value>(
        _ success: (inout TraceLine) throws(TraceSyntaxError) -> Value
    ) throws(TraceSyntaxError) -> TraceResult<Value> {
        if let error = try takeError() { return .failure(error) }
        return .success(try success(&self))
    }
}
