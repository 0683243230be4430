import MediaAssets
import StrictYAML

extension Scenario.Expectation {
    /// The keys and values in a scenario file.
    var fields: [ActionField] {
        switch kind {
        case .events(let events):
            return [ActionField("events", "[\(events.map(\.yaml).joined(separator: ", "))]")] + window.fields
        case .never(let text): return [ActionField("never", text: text)] + window.fields
        case .count(let text, let bounds):
            return [ActionField("count", text: text), ActionField("is", bounds.yaml())] + window.fields
        case .error(let code, let source):
            return [ActionField("error", code?.scenarioName ?? "none")] + optional(source, "of") + window.fields
        case .state(let subject, let state, let lasting):
            var fields: [ActionField]
            switch subject {
            case .session(let name): fields = [ActionField("session", state)] + optional(name, "of")
            case .recording: fields = [ActionField("recording", state)]
            case .recordingOfCamera(let camera, _):
                fields = [ActionField("recording", state), ActionField("camera", text: camera)]
            case .device(let id): fields = [ActionField("device", text: id), ActionField("is", state)]
            }
            if let lasting { fields.append(ActionField("lasts", lasting.yaml("s"))) }
            return fields + window.fields
        case .movie(let movie): return movie.fields
        case .picture(let picture): return picture.fields
        case .library(let library): return library.fields
        case .goldenLog: return [ActionField("log", "golden")]
        }
    }
}

extension Scenario.Expectation.Event {
    /// The event in a scenario file.
    fileprivate var yaml: String {
        window.fields.isEmpty ? quoted(text) : mapping([ActionField("event", text: text)] + window.fields)
    }
}

extension Scenario.TimeWindow {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        [("at", at), ("from", from), ("until", until)].compactMap { key, time in
            time.map { ActionField(key, "\($0) us") }
        }
    }
}

extension Scenario.Bounds {
    /// The bounds in a scenario file.
    fileprivate func yaml(_ unit: String = "") -> String {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return low == high ? "\(low)\(suffix)" : "[\(low)\(suffix), \(high)\(suffix)]"
    }
}

extension Scenario.MovieExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        [ActionField("movie", text: name)] + (exists ? [] : [ActionField("exists", false)])
            + optional(duration, "duration", "s") + optional(frames, "frames")
            + optional(longestGap, "longest-gap", "s")
            + (size.map { [ActionField("size", "\($0[0])x\($0[1])")] } ?? [])
            + (rotation.map { [ActionField("rotation", "\($0)")] } ?? [])
            + (tracks.map { [ActionField("tracks", "[\($0.joined(separator: ", "))]")] } ?? [])
            + (isPlayable.map { [ActionField("playable", $0)] } ?? [])
    }
}

extension Scenario.PictureExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        var fields = [ActionField(time == nil ? "photo" : "frame", text: name)]
        if let time { fields.append(ActionField("time", "\(time) s")) }
        if !exists { fields.append(ActionField("exists", false)) }
        if let size { fields.append(ActionField("size", "\(size[0])x\(size[1])")) }
        if let region { fields.append(ActionField("region", "\(region)")) }
        fields += optional(brightness, "brightness") + optional(sharpness, "sharpness")
        if let meanColor {
            fields += [ActionField("mean-color", "\(meanColor)"), ActionField("color-tolerance", colorTolerance)]
        }
        if let neutral { fields.append(ActionField("neutral", neutral)) }
        if let codes { fields.append(ActionField("codes", "[\(codes.map(quoted).joined(separator: ", "))]")) }
        fields += optional(faces, "faces") + optional(golden, "golden")
        if let minimumPSNR { fields.append(ActionField("psnr", "\(minimumPSNR) dB")) }
        if let minimumSSIM { fields.append(ActionField("ssim", minimumSSIM)) }
        for tag in Self.numericTags {
            fields += optional(tags[tag.key], tag.key, tag.unit.names.first?.name ?? "")
        }
        fields += optional(make, "make") + optional(model, "model")
        if let flashFired { fields.append(ActionField("flash-fired", flashFired)) }
        return fields
    }
}

extension Scenario.LibraryExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [ActionField] {
        [ActionField("library", kind.rawValue), ActionField("is", count.yaml())] + optional(album, "album")
            + (isAdded.map { [ActionField("added", $0)] } ?? []) + optional(duration, "duration", "s")
            + (size.map { [ActionField("size", "\($0[0])x\($0[1])")] } ?? [])
            + (isFavorite.map { [ActionField("favorite", $0)] } ?? [])
            + (isHidden.map { [ActionField("hidden", $0)] } ?? [])
    }
}

private func optional(_ text: String?, _ key: String) -> [ActionField] {
    text.map { [ActionField(key, text: $0)] } ?? []
}

private func optional(_ bounds: Scenario.Bounds?, _ key: String, _ unit: String = "") -> [ActionField] {
    bounds.map { [ActionField(key, $0.yaml(unit))] } ?? []
}
