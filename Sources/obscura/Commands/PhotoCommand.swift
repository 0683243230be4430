import ArgumentParser
import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureScenarios
import Foundation
import MediaTypes

/// `obscura photo`.
struct PhotoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Takes JPEG, HEIF or RAW photos with EXIF metadata.",
        discussion: """
            A RAW photo (DNG) and a processed photo of the same exposure have the same name and different extensions; the \
            command takes either name.

            With several photos, {number} in the name of the file is replaced by the number of the photo. Without it, the \
            number is added to the name: photo-1.jpg, photo-2.jpg.
            """)

    @Argument(help: "The photo to write: .jpg, .jpeg, .heic, .heif or .dng; an existing file is never overwritten.")
    var file: String
    @OptionGroup var options: SystemOptions
    @Option(
        parsing: .unconditional,
        help: "The time that the camera runs before the photo, so that its automatic modes settle. (default: 1s)",
        transform: DurationArgument.init(argument:))
    var after = DurationArgument(time: CMTime(value: 1, timescale: 1))
    @Option(
        parsing: .unconditional, help: "A size that the camera supports, such as 1920x1080. (default: the largest)",
        transform: PixelSize.init(argument:))
    var size: PixelSize?
    @Option(
        help:
            "The format: jpeg, or for cameras that support it heif (HEVC), dng (RAW), proraw (DNG with Apple ProRAW), or both files, such as dng+heif. (default: by the name of the file)",
        completion: .list(PhotoFormat.names), transform: PhotoFormat.init(argument:))
    var format: PhotoFormat?
    @OptionGroup var photos: PhotoOptions
    @OptionGroup var settings: CameraOptions
    @Flag(help: "Fire the flash. (default: off)") var flash = false
    @Option(help: "Write the depth map as an image: .png; for cameras that measure depth. (default: none)") var depth:
        String?
    @Flag(help: "Do not filter the depth map; requires --depth. (default: off)") var rawDepth = false
    @Flag(help: "Also store depth and mattes of people in the photo; for cameras that measure depth. (default: off)")
    var mattes = false
    @OptionGroup var saving: SaveOptions
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    private struct Report: Encodable {
        var file: String
        var width: Int
        var height: Int
        var bytes: Int
        var time: Double
        var library: String?
        /// The RAW photo beside a processed one.
        var raw: WrittenFile?
        var depth: Depth?
        /// The names of the mattes in the photo; nil without `--mattes`.
        var mattes: [String]?
        var movie: PhotoSeries.Movie?

        /// A photo that was written.
        struct WrittenFile: Encodable {
            var file: String
            var width: Int
            var height: Int
            var bytes: Int

            var line: String { "\(file): \(width)x\(height), \(bytes) bytes" }
        }

        struct Depth: Encodable {
            var file: String
            var nearestMetres: Double?
            var farthestMetres: Double?
            /// The fraction that was not measured.
            var holes: Double
        }
    }

    /// The report of several photos.
    private struct SeriesReport: Encodable {
        var photos: [Report]
    }

    /// The names of the photos.
    private var files: [String] { (1...photos.photoCount).map { photos.fileName(file, number: $0) } }

    /// The formats of the files. `validate()` checks the name.
    private var photoFormat: PhotoFormat { format ?? PhotoFormat.ofFile(file) ?? .jpeg }

    func validate() throws {
        let extensions = (format.map { [$0] } ?? [.jpeg, .heif, .dng]).flatMap(\.fileExtensions)
        try OutputFile.require(file, endsWith: extensions)
        try photoFormat.check(photos, settings, depth: depth)
        if let depth { try OutputFile.require(depth, endsWith: ["png"]) }
        if depth != nil, photos.photoCount > 1 { throw ValidationError("--depth requires a single photo") }
        if rawDepth, depth == nil { throw ValidationError("--raw-depth requires --depth") }
        if mattes, photoFormat.codec == nil { throw ValidationError("--mattes requires a JPEG or HEIF file") }
    }

    func run() throws {
        for file in files {
            let names = photoFormat.files(file)
            for name in [names.processed, names.raw].compactMap({ $0 }) { try OutputFile.check(name) }
            if photos.live { try OutputFile.check(PhotoOptions.movieName(file)) }
        }
        if let depth { try OutputFile.check(depth) }
        let command = try options.bootstrap(library: saving.library)
        guard let camera = try options.camera(), camera.hasMediaType(.video) else {
            throw CommandFailure("there is no camera to take a photo with\(command.missingDeviceAdvice)")
        }
        // The photo preset selects the best format; a trace contains only the recorded formats.
        let usesPhotoPreset = size == nil && command.playableStreams(of: camera).isEmpty
        let setup = try CaptureSetup(
            command, camera: camera, wantsAudio: photos.live,
            CaptureSetup.Requirements(
                size: size, preset: usesPhotoPreset ? PresetName(argument: "photo") : nil, settings: settings))
        let reports = try zip(files, capture(setup, command)).map { try write($1, to: $0) }
        guard json else { return }
        if let report = reports.first, photos.photoCount == 1 { return try printJSON(report) }
        try printJSON(SeriesReport(photos: reports))
    }

    /// Writes a photo, the RAW photo beside it and its depth map, and prints their sizes.
    ///
    /// - Parameter name: The name on the command line, with the number of the photo.
    private func write(_ result: PhotoSeries.Result, to name: String) throws -> Report {
        let names = photoFormat.files(name)
        // Without a processed photo, the RAW photo is the photo of the report.
        guard let photo = result.photo ?? result.raw, let file = names.processed ?? names.raw else {
            throw CommandFailure("the camera delivered no photo")
        }
        // Without depth, no file is written.
        let image = try depth == nil ? nil : depthImage(photo)
        let written = try write(photo, to: file)
        var report = Report(
            file: file, width: written.width, height: written.height, bytes: written.bytes,
            time: photo.timestamp.seconds, movie: result.movie)
        if result.photo != nil, let raw = result.raw, let file = names.raw { report.raw = try write(raw, to: file) }
        if let depth, let image {
            try OutputFile.write(image.png(), to: depth)
            report.depth = Report.Depth(
                file: depth, nearestMetres: image.range?.lowerBound, farthestMetres: image.range?.upperBound,
                holes: image.holes)
        }
        if mattes { report.mattes = matteNames(photo) }
        if saving.save {
            report.library = try LibraryAccess.save(
                URL(fileURLWithPath: file), as: .photo,
                rawPhoto: report.raw.map { URL(fileURLWithPath: $0.file) },
                livePhotoMovie: result.movie.map { URL(fileURLWithPath: $0.file) })
        }
        guard !json else { return report }
        try printLine(written.line + (report.library.map { ", saved to the library as \($0)" } ?? ""))
        if let raw = report.raw { try printLine(raw.line) }
        if let movie = result.movie {
            try printLine(
                "\(movie.file): \(plainNumber(movie.seconds)) s, photo at \(plainNumber(movie.photoTime)) s")
        }
        if let depth, let image { try printLine("\(depth): \(image.summary)") }
        if let mattes = report.mattes {
            try printLine(
                mattes.isEmpty ? "no mattes: the photo shows no people" : "mattes: \(mattes.joined(separator: ", "))")
        }
        return report
    }

    /// The names of the mattes that a photo has.
    private func matteNames(_ photo: AVCapturePhoto) -> [String] {
        let types: [(AVSemanticSegmentationMatte.MatteType, String)] = [
            (.skin, "skin"), (.hair, "hair"), (.teeth, "teeth"), (.glasses, "glasses"),
        ]
        return (photo.portraitEffectsMatte == nil ? [] : ["portrait"])
            + types.filter { photo.semanticSegmentationMatte(for: $0.0) != nil }.map(\.1)
    }

    /// Writes the file of a photo.
    private func write(_ photo: AVCapturePhoto, to file: String) throws -> Report.WrittenFile {
        guard let data = photo.fileDataRepresentation() else { throw CommandFailure("the camera delivered no photo") }
        try OutputFile.write(data, to: file)
        let resolved = photo.resolvedSettings
        let size = photo.isRawPhoto ? resolved.rawPhotoDimensions : resolved.photoDimensions
        return Report.WrittenFile(file: file, width: Int(size.width), height: Int(size.height), bytes: data.count)
    }

    private func depthImage(_ photo: AVCapturePhoto) throws -> DepthImage {
        guard let data = photo.depthData else {
            throw CommandFailure("the camera measured no depth for the photo, so nothing was written")
        }
        // A depth map is not rotated, unlike the photo, which has a rotation in its metadata.
        let orientation = (photo.metadata["Orientation"] as? Int)
            .flatMap { CGImagePropertyOrientation(rawValue: UInt32($0)) }
        return try DepthImage(orientation.map { data.applyingExifOrientation($0) } ?? data)
    }

    private func capture(_ setup: CaptureSetup, _ command: CommandSystem) throws -> [PhotoSeries.Result] {
        let output = AVCapturePhotoOutput()
        setup.session.addOutput(output)
        let request = try request(output, setup)
        try enableDepth(output, setup)
        try PhotoSeries.prepare(output, photos, setup)
        let failure = SessionFailure(of: setup.session, in: command)
        defer { setup.session.stopRunning() }
        try setup.start(failure)
        let clock = command.system.clock
        let begin = clock.now
        let start = begin + after.time
        let bar = ProgressBar("taking a photo")
        let total = after.time.seconds
        command.run {
            if total > 0 { bar.show((clock.now - begin).seconds / total) }
            return clock.now >= start || failure.hasOccurred || setup.endTime != nil
        }
        bar.finish()
        if let end = setup.endTime {
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") ended after "
                    + "\(plainNumber((end - begin).seconds)) s, before the \(after) of --after")
        }
        try failure.check(setup)
        try checkConnection(setup, command, failure)
        setup.rotateUpright(output, command)
        if flash, !(setup.camera?.hasFlash ?? false) {
            throw CommandFailure("\(setup.camera?.localizedName ?? "the source") has no flash")
        }
        try checkDepthZoom(setup)
        let series = PhotoSeries(setup: setup, command: command, output: output, options: photos, failure: failure)
        return try series.take(request) { settings in
            settings.isDepthDataDeliveryEnabled = needsDepth
            settings.isDepthDataFiltered = !rawDepth
            if flash { settings.flashMode = .on }
            if mattes {
                settings.isPortraitEffectsMatteDeliveryEnabled = true
                settings.enabledSemanticSegmentationMatteTypes = output.enabledSemanticSegmentationMatteTypes
            }
            if photos.thumbnail, let codec = photoFormat.codec {
                settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: codec]
            }
        } movieName: { number in
            PhotoOptions.movieName(photos.fileName(file, number: number))
        }
    }

    /// Throws if the camera measures no depth at its zoom factor.
    private func checkDepthZoom(_ setup: CaptureSetup) throws(CommandFailure) {
        guard needsDepth, let camera = setup.camera else { return }
        let (zoom, ranges) = (
            camera.videoZoomFactor, camera.activeFormat.supportedVideoZoomRangesForDepthDataDelivery
        )
        guard !ranges.isEmpty, !ranges.contains(where: { $0.contains(zoom) }) else { return }
        let supported = ranges.map { "from \(plainNumber($0.lowerBound)) to \(plainNumber($0.upperBound))" }
        throw CommandFailure(
            "\(camera.localizedName) measures no depth at zoom factor \(plainNumber(zoom)), only "
                + "\(supported.joined(separator: " or ")): choose one with --zoom")
    }

    /// Throws if the camera is disconnected, also if the session has not reported it yet.
    private func checkConnection(
        _ setup: CaptureSetup, _ command: CommandSystem, _ failure: SessionFailure
    ) throws(CommandFailure) {
        guard let camera = setup.camera, !camera.isConnected else { return }
        command.run(limit: .seconds(1)) { failure.hasOccurred }
        try failure.check(setup)
        throw CommandFailure("\(camera.localizedName) has been disconnected: connect it and try again")
    }

    /// Returns the formats to request, and enables Apple ProRAW if it is one of them.
    ///
    /// - Throws: `CommandFailure` if the camera does not support the formats.
    private func request(_ output: AVCapturePhotoOutput, _ setup: CaptureSetup) throws(CommandFailure)
        -> PhotoSeries.Request
    {
        let name = setup.camera?.localizedName ?? "the source"
        let codecs = output.availablePhotoCodecTypes
        var request = PhotoSeries.Request()
        if let raw = photoFormat.raw {
            if raw == .linear, output.isAppleProRAWSupported { output.isAppleProRAWEnabled = true }
            guard let format = output.availableRawPhotoPixelFormatTypes.first(where: raw.includes) else {
                let known = codecs.contains(.hevc) ? "HEIF and JPEG" : "JPEG"
                let parts = setup.camera?.constituentDevices.map(\.uniqueID).joined(separator: ", ") ?? ""
                throw CommandFailure(
                    "\(name) takes no \(raw.name) photos, only \(known): "
                        + (parts.isEmpty ? "name a file that ends in .jpg" : "select one of its cameras: \(parts)"))
            }
            request.rawPixelFormat = format
        }
        guard let codec = photoFormat.codec else { return request }
        guard codecs.contains(codec) else {
            throw CommandFailure("\(name) takes no HEIF photos: name a file that ends in .jpg")
        }
        request.processedFormat = [AVVideoCodecKey: codec]
        return request
    }

    private func enableDepth(_ output: AVCapturePhotoOutput, _ setup: CaptureSetup) throws {
        guard needsDepth else { return }
        guard output.isDepthDataDeliverySupported else {
            let others = AVCaptureDevice.DiscoverySession.everything.devices
                .filter { device in device.formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") measures no depth in this format"
                    + (others.isEmpty ? "" : "; these cameras do: \(others.map(\.uniqueID).joined(separator: ", "))"))
        }
        output.isDepthDataDeliveryEnabled = true
        guard mattes else { return }
        guard output.isPortraitEffectsMatteDeliverySupported else {
            throw CommandFailure("\(setup.camera?.localizedName ?? "the source") delivers no mattes of people")
        }
        output.isPortraitEffectsMatteDeliveryEnabled = true
        output.enabledSemanticSegmentationMatteTypes = output.availableSemanticSegmentationMatteTypes
    }

    /// Whether photos have a depth map, which mattes require.
    private var needsDepth: Bool { depth != nil || mattes }
}
