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
        commandName: "photo", abstract: "Takes JPEG or HEIF photos with EXIF metadata.",
        discussion: """
            With several photos, {number} in the name of the file is replaced by the number of the photo. Without it, the \
            number is added to the name: photo-1.jpg, photo-2.jpg.
            """)

    @Argument(help: "The photo to write: .jpg, .jpeg, .heic or .heif; an existing file is never overwritten.")
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
        help: "The format: jpeg, or heif (HEVC) for cameras that support it. (default: by the name of the file)",
        completion: .list(Format.names), transform: Format.init(argument:))
    var format: Format?
    @OptionGroup var photos: PhotoOptions
    @OptionGroup var settings: CameraOptions
    @Flag(help: "Fire the flash. (default: off)") var flash = false
    @Option(help: "Write the depth map as an image: .png; for cameras that measure depth. (default: none)") var depth:
        String?
    @Flag(help: "Do not filter the depth map; requires --depth. (default: off)") var rawDepth = false
    @OptionGroup var saving: SaveOptions
    @Flag(help: "Print one JSON object. (default: off)") var json = false

    /// A file format of `--format`.
    enum Format: String, NamedArgument {
        case jpeg, heif

        static let noun = "format"

        var codec: AVVideoCodecType {
            switch self {
            case .jpeg: .jpeg
            case .heif: .hevc
            }
        }

        var fileExtensions: [String] {
            switch self {
            case .jpeg: ["jpg", "jpeg"]
            case .heif: ["heic", "heif"]
            }
        }
    }

    private struct Report: Encodable {
        var file: String
        var width: Int
        var height: Int
        var bytes: Int
        var time: Double
        var library: String?
        var depth: Depth?
        var movie: PhotoSeries.Movie?

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

    func validate() throws {
        let extensions = (format.map { [$0] } ?? Format.allCases).flatMap(\.fileExtensions)
        try OutputFile.require(file, endsWith: extensions)
        if let depth { try OutputFile.require(depth, endsWith: ["png"]) }
        if depth != nil, photos.photoCount > 1 { throw ValidationError("--depth requires a single photo") }
        if rawDepth, depth == nil { throw ValidationError("--raw-depth requires --depth") }
    }

    func run() throws {
        for file in files {
            try OutputFile.check(file)
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

    /// Writes a photo, and its depth map, and prints their sizes.
    private func write(_ result: PhotoSeries.Result, to file: String) throws -> Report {
        let photo = result.photo
        guard let data = photo.fileDataRepresentation() else { throw CommandFailure("the camera delivered no photo") }
        // Without depth, no file is written.
        let image = try depth == nil ? nil : depthImage(photo)
        try OutputFile.write(data, to: file)
        var report = Report(
            file: file, width: Int(photo.resolvedSettings.photoDimensions.width),
            height: Int(photo.resolvedSettings.photoDimensions.height), bytes: data.count,
            time: photo.timestamp.seconds, movie: result.movie)
        if let depth, let image {
            try OutputFile.write(image.png(), to: depth)
            report.depth = Report.Depth(
                file: depth, nearestMetres: image.range?.lowerBound, farthestMetres: image.range?.upperBound,
                holes: image.holes)
        }
        if saving.save {
            report.library = try LibraryAccess.save(
                URL(fileURLWithPath: file), as: .photo,
                livePhotoMovie: result.movie.map { URL(fileURLWithPath: $0.file) })
        }
        guard !json else { return report }
        try printLine(
            "\(file): \(report.width)x\(report.height), \(report.bytes) bytes"
                + (report.library.map { ", saved to the library as \($0)" } ?? ""))
        if let movie = result.movie {
            try printLine(
                "\(movie.file): \(plainNumber(movie.seconds)) s, photo at \(plainNumber(movie.photoTime)) s")
        }
        if let depth, let image { try printLine("\(depth): \(image.summary)") }
        return report
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
        let codec = try codec(output, setup)
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
        return try series.take([AVVideoCodecKey: codec]) { settings in
            settings.isDepthDataDeliveryEnabled = depth != nil
            settings.isDepthDataFiltered = !rawDepth
            if flash { settings.flashMode = .on }
        } movieName: { number in
            PhotoOptions.movieName(photos.fileName(file, number: number))
        }
    }

    /// Throws if the camera measures no depth at its zoom factor.
    private func checkDepthZoom(_ setup: CaptureSetup) throws(CommandFailure) {
        guard depth != nil, let camera = setup.camera else { return }
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

    /// The codec of the photo, by the extension of the file, which agrees with `--format`.
    private func codec(
        _ output: AVCapturePhotoOutput, _ setup: CaptureSetup
    ) throws(CommandFailure) -> AVVideoCodecType {
        let name = URL(fileURLWithPath: file).pathExtension.lowercased()
        let codec = (Format.allCases.first { $0.fileExtensions.contains(name) } ?? .jpeg).codec
        guard output.availablePhotoCodecTypes.contains(codec) else {
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") takes no HEIF photos: name a file that ends in .jpg")
        }
        return codec
    }

    private func enableDepth(_ output: AVCapturePhotoOutput, _ setup: CaptureSetup) throws {
        guard depth != nil else { return }
        guard output.isDepthDataDeliverySupported else {
            let others = AVCaptureDevice.DiscoverySession.everything.devices
                .filter { device in device.formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
            throw CommandFailure(
                "\(setup.camera?.localizedName ?? "the source") measures no depth in this format"
                    + (others.isEmpty ? "" : "; these cameras do: \(others.map(\.uniqueID).joined(separator: ", "))"))
        }
        output.isDepthDataDeliveryEnabled = true
    }
}
