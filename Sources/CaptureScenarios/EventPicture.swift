import CaptureHAL
public import Foundation
import MediaCodecs
import MediaMeasurements
import MediaTypes
import PixelKernels
import SimDevices

/// A small picture from a camera at the time of an event.
public struct EventPicture: Sendable, Hashable, Codable {
    /// Seconds since the start of the scenario.
    public var time: Double
    /// The event at that time.
    public var event: String
    /// The origin of the picture, such as `frame` or `frame of call.mov`.
    public var source: String
    /// A JPEG file. The longer side has at most 160 pixels.
    public var jpeg: Data
}

/// Collects pictures of the events of one run of a scenario, from the frames of a video output.
///
/// - Important: Thread-safe.
final class EventPictures: Sendable {
    private struct State {
        /// The last frame, scaled down; nil before the first.
        var frame: CVPixelBuffer?
        let converter = PixelConverter()
        /// The events with pictures, in order: the entry of the log and a JPEG file.
        var pictures: [(entry: LogEntry, jpeg: Data)] = []
        /// The pictures of the cameras over time, by camera.
        var cameras: [String: CameraPictures] = [:]
    }

    /// The pictures of a camera at regular times.
    private struct CameraPictures {
        private static let maximumCount = 120
        /// The shortest time between two pictures in nanoseconds. It doubles when there are too many pictures.
        private var interval: Int64 = 100_000_000
        private(set) var pictures: [(time: Int64, jpeg: Data)] = []

        /// Whether a picture is stored for a frame at a time in nanoseconds.
        func needsPicture(at time: Int64) -> Bool { pictures.last.map { time - $0.time >= interval } ?? true }

        mutating func add(_ jpeg: Data, at time: Int64) {
            pictures.append((time, jpeg))
            guard pictures.count > Self.maximumCount else { return }
            interval *= 2
            var last: Int64?
            pictures.removeAll { picture in
                if let last, picture.time - last < interval { return true }
                last = picture.time
                return false
            }
        }
    }

    /// The maximum length of the longer side in pixels.
    private static let maximumSide = 160
    private static let maximumCount = 24
    private let state = Lock(State())

    /// Stores pictures of the frames of all cameras over time.
    func observe(_ host: SimHost, clock: any CaptureClock) {
        let devices = Dictionary(host.devices.map { ($0.descriptor.uniqueID, $0.descriptor) }) { first, _ in first }
        let orientation = host.orientation
        host.history.observeFrames { [weak self] frame in
            guard let self, case .pixels(let pixels) = frame.payload else { return }
            let angle = devices[frame.deviceID].map(SensorMounting.init)?.angle(for: orientation?.lastKnown ?? .unknown)
            let rotation = angle.flatMap { PixelRotation(degrees: $0) } ?? .none
            store(pixels, rotation, of: frame.deviceID, at: clock.now.nanoseconds)
        }
    }

    private func store(_ pixels: CVPixelBuffer, _ rotation: PixelRotation, of camera: String, at time: Int64) {
        state.withLock { state in
            guard state.cameras[camera]?.needsPicture(at: time) ?? true,
                let small = try? Self.scaled(pixels, rotation, with: state.converter),
                let jpeg = try? JPEGCodec().encode(small, settings: JPEGCodec.Settings(quality: 70))
            else { return }
            state.cameras[camera, default: CameraPictures()].add(jpeg, at: time)
        }
    }

    /// The pictures of the cameras over time, by camera and in the order of time.
    var cameraPictures: [EventPicture] {
        state.withLock { state in
            state.cameras.sorted { $0.key < $1.key }.flatMap { camera, stored in
                stored.pictures.map {
                    EventPicture(time: Double($0.time) / 1e9, event: "", source: camera, jpeg: $0.jpeg)
                }
            }
        }
    }

    /// Stores a scaled copy of a frame. The buffer is not retained, so that its pool does not run out of buffers.
    ///
    /// - Parameter rotation: The clockwise rotation after which the picture is upright.
    func storeFrame(_ pixels: CVPixelBuffer, rotation: PixelRotation) {
        state.withLock { state in
            // A missing picture in the report must not fail the scenario.
            if let small = try? Self.scaled(pixels, rotation, with: state.converter) { state.frame = small }
        }
    }

    /// Stores the last frame as the picture of an event, unless the previous picture has the same time.
    func storePicture(of entry: LogEntry) {
        guard Self.hasPicture(entry) else { return }
        state.withLock { state in
            guard let frame = state.frame, state.pictures.last?.entry.time != entry.time,
                let jpeg = try? JPEGCodec().encode(frame, settings: JPEGCodec.Settings(quality: 80))
            else { return }
            state.pictures.append((entry, jpeg))
        }
    }

    /// Returns the pictures of a run in the order of time, at most `maximumCount`.
    ///
    /// They are the photos and the stored frames of the video output. Without stored frames, they are the photos and
    /// frames of the movies.
    func pictures(of entries: [LogEntry], in folder: URL) -> [EventPicture] {
        var pictures = state.withLock { state in
            state.pictures.map { entry, jpeg in
                EventPicture(time: Double(entry.time) / 1e6, event: entry.text, source: "frame", jpeg: jpeg)
            }
        }
        if pictures.isEmpty { pictures = Self.framesOfMovies(entries, in: folder) }
        let photos = Self.photos(entries, in: folder)
        if !photos.isEmpty { pictures = (pictures + photos).sorted { $0.time < $1.time } }
        guard pictures.count > Self.maximumCount else { return pictures }
        // Select evenly distributed pictures, including the first and the last.
        return (0..<Self.maximumCount).map { pictures[$0 * (pictures.count - 1) / (Self.maximumCount - 1)] }
    }

    /// Whether an event has a picture. Frames, audio buffers, and the files and assets listed at the end have none.
    private static func hasPicture(_ entry: LogEntry) -> Bool {
        !entry.isSample && !["file", "asset photo", "asset movie"].contains(where: entry.matches)
    }

    /// Returns a picture of each photo. Its time is that of the photo's event in the log.
    private static func photos(_ entries: [LogEntry], in folder: URL) -> [EventPicture] {
        let converter = PixelConverter()
        return entries.compactMap { entry in
            // Other events of a photo capture, such as `photo will begin`, have longer names.
            guard EventName.name(of: entry.text) == "photo", let detail = entry.detail(after: "photo"),
                let name = detail.components(separatedBy: LogEntry.depthWords).first,
                let photo = try? Picture(photo: folder.appendingPathComponent(name)),
                let small = try? scaled(photo.pixels, .none, with: converter),
                let jpeg = try? JPEGCodec().encode(small, settings: JPEGCodec.Settings(quality: 80))
            else { return nil }
            return EventPicture(time: Double(entry.time) / 1e6, event: entry.text, source: "photo", jpeg: jpeg)
        }
    }

    /// Returns a frame of a recorded movie for each event during its recording.
    private static func framesOfMovies(_ entries: [LogEntry], in folder: URL) -> [EventPicture] {
        var pictures: [EventPicture] = []
        // The recordings in progress, in the order of their starts.
        var recordings: [Recording] = []
        for entry in entries where hasPicture(entry) {
            if let name = entry.detail(after: "recording did start") {
                recordings.append(Recording(name: name, start: entry.time))
            }
            if let name = entry.detail(after: "recording did pause"),
                let index = recordings.firstIndex(where: { $0.name == name })
            {
                recordings[index].pauseStart = entry.time
            }
            if let name = entry.detail(after: "recording did resume"),
                let index = recordings.firstIndex(where: { $0.name == name })
            {
                recordings[index].resume(at: entry.time)
            }
            for index in recordings.indices { recordings[index].add(entry) }
            if entry.matches("recording did finish"), let name = entry.recordingName(among: recordings.map(\.name)),
                let index = recordings.firstIndex(where: { $0.name == name })
            {
                pictures += frames(of: recordings.remove(at: index), in: folder)
            }
        }
        return pictures.sorted { $0.time < $1.time }
    }

    /// A recording in progress.
    private struct Recording {
        let name: String
        /// The time in microseconds at which the time of the movie is 0; a pause moves it.
        var start: Int64
        /// The start of the current pause; nil if the recording is not paused. The time of a movie does not advance
        /// during a pause.
        var pauseStart: Int64?
        var events: [(entry: LogEntry, movieSeconds: Double)] = []

        init(name: String, start: Int64) { (self.name, self.start) = (name, start) }

        mutating func resume(at time: Int64) {
            if let pauseStart { start += time - pauseStart }
            pauseStart = nil
        }

        /// Adds an event, unless the recording is paused or the previous event has the same time.
        mutating func add(_ entry: LogEntry) {
            guard pauseStart == nil, events.last?.entry.time != entry.time else { return }
            events.append((entry, Double(entry.time - start) / 1e6))
        }
    }

    /// Returns the frames of a finished recording at its events; empty if the movie cannot be read.
    private static func frames(of recording: Recording, in folder: URL) -> [EventPicture] {
        let url = folder.appendingPathComponent(recording.name)
        guard let frames = try? Picture.frames(of: url, at: recording.events.map(\.movieSeconds)) else { return [] }
        let converter = PixelConverter()
        return zip(recording.events.map(\.entry), frames).compactMap { event, frame in
            guard let small = try? scaled(frame, .none, with: converter),
                let jpeg = try? JPEGCodec().encode(small, settings: JPEGCodec.Settings(quality: 80))
            else { return nil }
            return EventPicture(
                time: Double(event.time) / 1e6, event: event.text, source: "frame of \(recording.name)", jpeg: jpeg)
        }
    }

    /// Returns a rotated copy of a picture. Its longer side has at most `maximumSide` pixels.
    private static func scaled(
        _ pixels: CVPixelBuffer, _ rotation: PixelRotation, with converter: PixelConverter
    ) throws -> CVPixelBuffer {
        let scale = min(1, Double(maximumSide) / Double(max(pixels.width, pixels.height)))
        let width = max(2, Int(Double(pixels.width) * scale) / 2 * 2)
        let height = max(2, Int(Double(pixels.height) * scale) / 2 * 2)
        let isSwapped = rotation.swapsWidthAndHeight
        guard
            let small = CVPixelBuffer(
                width: isSwapped ? height : width, height: isSwapped ? width : height,
                pixelFormat: kCVPixelFormatType_32BGRA)
        else {
            throw Picture.ReadingError(description: "there is not enough memory for \(width)x\(height) pixels")
        }
        try converter.convert(pixels, to: small, PixelTransform(rotation: rotation))
        return small
    }
}
