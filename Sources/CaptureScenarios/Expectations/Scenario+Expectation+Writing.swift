import MediaMeasurements
import StrictYAML

extension Scenario.Expectation {
    /// The keys and values in a scenario file.
    var fields: [KeyedValue] {
        switch kind {
        case .events(let events):
            return [KeyedValue("events", "[\(events.map(\.yaml).joined(separator: ", "))]")] + window.fields
        case .never(let text): return [KeyedValue("never", text: text)] + window.fields
        case .count(let text, let bounds):
            return [KeyedValue("count", text: text), KeyedValue("is", bounds.yaml())] + window.fields
        case .error(let code, let source):
            return [KeyedValue("error", code?.scenarioName ?? "none")] + optional(source, "of") + window.fields
        case .state(let subject, let state, let lasting):
            var fields: [KeyedValue]
            switch subject {
            case .session(let name): fields = [KeyedValue("session", state)] + optional(name, "of")
            case .recording: fields = [KeyedValue("recording", state)]
            case .recordingOfCamera(let camera, _):
                fields = [KeyedValue("recording", state), KeyedValue("camera", text: camera)]
            case .device(let id): fields = [KeyedValue("device", text: id), KeyedValue("is", state)]
            }
            if let lasting { fields.append(KeyedValue("lasts", lasting.yaml("s"))) }
            return fields + window.fields
        case .movie(let movie): return movie.fields
        case .picture(let picture): return picture.fields
        case .library(let library): return library.fields
        case .goldenLog: return [KeyedValue("log", "golden")]
        }
    }
}

extension Scenario.Expectation.Event {
    /// The event in a scenario file.
    fileprivate var yaml: String {
        window.fields.isEmpty ? quoted(text) : flowMapping([KeyedValue("event", text: text)] + window.fields)
    }
}

extension Scenario.TimeWindow {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        [("at", at), ("from", from), ("until", until)].compactMap { key, time in
            time.map { KeyedValue(key, "\($0) us") }
        }
    }
}

extension Bounds {
    /// The bounds in a scenario file.
    fileprivate func yaml(_ unit: String = "") -> String {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return low == high ? "\(low)\(suffix)" : "[\(low)\(suffix), \(high)\(suffix)]"
    }
}

extension MovieExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        var fields = [KeyedValue("movie", text: name)]
        if !exists { fields.append(KeyedValue("exists", false)) }
        fields += optional(duration, "duration", "s") + optional(frames, "frames")
        fields += optional(longestGap, "longest-gap", "s")
        if let size { fields.append(KeyedValue("size", "\(size[0])x\(size[1])")) }
        if let rotation { fields.append(KeyedValue("rotation", "\(rotation)")) }
        if let tracks { fields.append(KeyedValue("tracks", "[\(tracks.joined(separator: ", "))]")) }
        if let isPlayable { fields.append(KeyedValue("playable", isPlayable)) }
        return fields
    }
}

extension PictureExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        var fields = [KeyedValue(time == nil ? "photo" : "frame", text: name)]
        if let time { fields.append(KeyedValue("time", "\(time) s")) }
        if !exists { fields.append(KeyedValue("exists", false)) }
        if let size { fields.append(KeyedValue("size", "\(size[0])x\(size[1])")) }
        if let region { fields.append(KeyedValue("region", "\(region)")) }
        fields += optional(brightness, "brightness") + optional(sharpness, "sharpness")
        if let meanColor {
            fields += [KeyedValue("mean-color", "\(meanColor)"), KeyedValue("color-tolerance", colorTolerance)]
        }
        if let neutral { fields.append(KeyedValue("neutral", neutral)) }
        if let codes { fields.append(KeyedValue("codes", "[\(codes.map(quoted).joined(separator: ", "))]")) }
        fields += optional(faces, "faces") + optional(golden, "golden")
        if let minimumPSNR { fields.append(KeyedValue("psnr", "\(minimumPSNR) dB")) }
        if let minimumSSIM { fields.append(KeyedValue("ssim", minimumSSIM)) }
        for tag in NumericTag.allCases {
            fields += optional(tags[tag], tag.rawValue, tag.unit.names.first?.name ?? "")
        }
        fields += optional(make, "make") + optional(model, "model")
        if let flashFired { fields.append(KeyedValue("flash-fired", flashFired)) }
        fields += optional(livePhotoMovie, "live-movie")
        return fields
    }
}

extension Scenario.LibraryExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        var fields = [KeyedValue("library", kind.rawValue), KeyedValue("is", count.yaml())]
        fields += optional(album, "album")
        if let isAdded { fields.append(KeyedValue("added", isAdded)) }
        fields += optional(duration, "duration", "s")
        if let size { fields.append(KeyedValue("size", "\(size[0])x\(size[1])")) }
        if let isFavorite { fields.append(KeyedValue("favorite", isFavorite)) }
        if let isHidden { fields.append(KeyedValue("hidden", isHidden)) }
        return fields
    }
}

private func optional(_ text: String?, _ key: String) -> [KeyedValue] {
    text.map { [KeyedValue(key, text: $0)] } ?? []
}

private func optional(_ bounds: Bounds?, _ key: String, _ unit: String = "") -> [KeyedValue] {
    bounds.map { [KeyedValue(key, $0.yaml(unit))] } ?? []
}
