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

extension Scenario.Bounds {
    /// The bounds in a scenario file.
    fileprivate func yaml(_ unit: String = "") -> String {
        let suffix = unit.isEmpty ? "" : " \(unit)"
        return low == high ? "\(low)\(suffix)" : "[\(low)\(suffix), \(high)\(suffix)]"
    }
}

extension Scenario.MovieExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        [KeyedValue("movie", text: name)] + (exists ? [] : [KeyedValue("exists", false)])
            + optional(duration, "duration", "s") + optional(frames, "frames")
            + optional(longestGap, "longest-gap", "s")
            + (size.map { [KeyedValue("size", "\($0[0])x\($0[1])")] } ?? [])
            + (rotation.map { [KeyedValue("rotation", "\($0)")] } ?? [])
            + (tracks.map { [KeyedValue("tracks", "[\($0.joined(separator: ", "))]")] } ?? [])
            + (isPlayable.map { [KeyedValue("playable", $0)] } ?? [])
    }
}

extension Scenario.PictureExpectation {
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
        for tag in Self.numericTags {
            fields += optional(tags[tag.key], tag.key, tag.unit.names.first?.name ?? "")
        }
        fields += optional(make, "make") + optional(model, "model")
        if let flashFired { fields.append(KeyedValue("flash-fired", flashFired)) }
        return fields
    }
}

extension Scenario.LibraryExpectation {
    /// The keys and values in a scenario file.
    fileprivate var fields: [KeyedValue] {
        [KeyedValue("library", kind.rawValue), KeyedValue("is", count.yaml())] + optional(album, "album")
            + (isAdded.map { [KeyedValue("added", $0)] } ?? []) + optional(duration, "duration", "s")
            + (size.map { [KeyedValue("size", "\($0[0])x\($0[1])")] } ?? [])
            + (isFavorite.map { [KeyedValue("favorite", $0)] } ?? [])
            + (isHidden.map { [KeyedValue("hidden", $0)] } ?? [])
    }
}

private func optional(_ text: String?, _ key: String) -> [KeyedValue] {
    text.map { [KeyedValue(key, text: $0)] } ?? []
}

private func optional(_ bounds: Scenario.Bounds?, _ key: String, _ unit: String = "") -> [KeyedValue] {
    bounds.map { [KeyedValue(key, $0.yaml(unit))] } ?? []
}
