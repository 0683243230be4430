import CaptureHAL
import MediaTypes

/// The check of the device list.
extension ConformanceContext {
    /// Checks that the host has a name, and that it and a new host list the same devices, each with its own ID.
    func deviceListIsStable() throws {
        let devices = host.devices
        guard !devices.isEmpty else { return fail(nil, nil, "the host has no devices") }
        if host.name.isEmpty { fail(nil, nil, "the host has no name") }
        let relisted = host.devices
        if devices.count != relisted.count || !zip(devices, relisted).allSatisfy({ $0 === $1 }) {
            fail(nil, nil, "a second query returns other devices, or another order")
        }
        let ids = devices.map(\.descriptor.uniqueID)
        if Set(ids).count != ids.count { fail(nil, nil, "two devices have the same unique ID: \(ids)") }
        let other = try makeAnotherSubject()
        defer { tearDown(other) }
        let others = other.host.devices
        if others.map(\.descriptor) != devices.map(\.descriptor) {
            fail(nil, nil, "a new host lists \(others.map(\.descriptor.uniqueID)), the first one \(ids)")
        }
        for (device, other) in zip(devices, others) where device.formats != other.formats {
            fail(device, nil, "a new host lists other formats of the device")
        }
    }
}

/// Checks of descriptors and formats.
extension DeviceCheckContext {
    /// Checks the values of the descriptor, and that opening and closing the device do not change it.
    func descriptorsAreValid() throws {
        let descriptor = device.descriptor
        expect(!descriptor.uniqueID.isEmpty, "the unique ID is empty")
        expect(!descriptor.modelID.isEmpty, "the model ID is empty")
        expect(!descriptor.localizedName.isEmpty, "the name is empty")
        expect(!descriptor.media.isEmpty, "the device has no media type")
        expect(
            [0, 90, 180, 270].contains(descriptor.mountingAngle), "the mounting angle is \(descriptor.mountingAngle)")
        expect(
            descriptor.kind != .microphone || descriptor.media == [.audio],
            "a microphone delivers \(descriptor.media.map(\.rawValue).sorted())")
        if let lens = descriptor.lens {
            let values = [lens.aperture, lens.focalLengthMillimeters, lens.equivalentFocalLengthMillimeters]
            expect(values.allSatisfy { $0.isFinite && $0 > 0 }, "the lens data is invalid: \(lens)")
            expect(lens.minimumFocusDistanceMillimeters ?? 1 > 0, "the minimum focus distance is not positive")
        }
        expect(device.isConnected, "isConnected of a listed device is false")
        if device.formats.isEmpty { return }
        let opened = try open()
        expect(device.descriptor == descriptor, "opening changed the descriptor")
        opened.close()
        expect(device.descriptor == descriptor, "closing changed the descriptor")
    }

    /// Checks the values of the formats, and that opening the device does not change the list.
    func formatsAreValid() throws {
        let formats = device.formats
        expect(Set(formats).count == formats.count, "a format is listed twice")
        for format in formats {
            expect(
                device.descriptor.media.contains(format.media), "the descriptor does not list this media type", format)
            switch format {
            case .video(let video): check(video, format)
            case .audio(let audio):
                expect(audio.sampleRate.isFinite && audio.sampleRate > 0, "the sample rate is invalid", format)
                expect(audio.channelCount > 0, "there are no channels", format)
            }
        }
        let opened = try open()
        expect(device.formats == formats, "opening changed the formats")
        opened.close()
    }

    private func check(_ video: VideoStreamFormat, _ format: StreamFormat) {
        expect(video.dimensions.width > 0 && video.dimensions.height > 0, "the size is invalid", format)
        if case .pixels(let code) = video.encoding {
            expect(PixelFormat.format(of: code) != nil, "the pixel format is unknown", format)
        }
        expect(!video.frameDurations.isEmpty, "there are no frame durations", format)
        for range in video.frameDurations {
            let isOrdered =
                range.minimum.isNumeric && range.maximum.isNumeric && range.minimum > .zero
                && range.minimum <= range.maximum
            expect(isOrdered, "the frame durations \(range.minimum)…\(range.maximum) are not a range", format)
        }
        let areas = video.photoDimensions.map { Int($0.width) * Int($0.height) }
        expect(!areas.isEmpty && areas.allSatisfy { $0 > 0 }, "there is no photo size", format)
        expect(areas == areas.sorted(), "the photo sizes do not ascend", format)
        expect(
            (0..<360).contains(video.horizontalFieldOfView), "the field of view is not between 0 and 360 degrees",
            format)
        expect(video.maximumZoomFactor >= 1, "the largest zoom factor is below 1", format)
        expect(
            (1...max(1, video.maximumZoomFactor)).contains(video.zoomUpscaleThreshold),
            "the upscale threshold is outside the zoom range", format)
        if let durations = video.exposureDurations {
            expect(durations.lowerBound > 0, "the shortest exposure duration is not positive", format)
        }
        if let isos = video.isoRange { expect(isos.lowerBound > 0, "the lowest ISO is not positive", format) }
    }
}
