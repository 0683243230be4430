import MediaTypes

extension Scenario {
    /// Returns a scenario that still fails, without steps, faults, cameras, outputs, permissions and assets that the
    /// failure does not depend on (A. Zeller, R. Hildebrandt: "Simplifying and isolating failure-inducing input", IEEE
    /// Trans. Software Eng. 28 (2002)).
    ///
    /// - Parameter fails: Returns whether a scenario fails. Called up to several hundred times.
    package func reduced(_ fails: (Scenario) throws -> Bool) rethrows -> Scenario {
        var best = self
        try Self.reduce(\.timeline, of: &best, fails)
        try Self.reduce(\.devices.faults, of: &best, fails)
        try Self.reduceCameras(of: &best, fails)
        for output in best.session.outputs where best.session.outputs.count > 1 || !best.session.cameras.isEmpty {
            var candidate = best
            candidate.session.outputs.removeAll { $0 == output }
            if try fails(candidate) { best = candidate }
        }
        try Self.reduceLibrary(of: &best, fails)
        for resource in best.devices.authorization.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            var candidate = best
            candidate.devices.authorization[resource] = nil
            if try fails(candidate) { best = candidate }
        }
        var candidate = best
        candidate.session.hasMicrophone = false
        if try candidate.session != best.session && fails(candidate) { best = candidate }
        return best
    }

    /// Removes cameras of a session with several cameras, the steps of the removed cameras, and outputs of the
    /// remaining cameras.
    private static func reduceCameras(of best: inout Scenario, _ fails: (Scenario) throws -> Bool) rethrows {
        for camera in best.session.cameras where best.session.cameras.count > 2 {
            var candidate = best
            candidate.session.cameras.removeAll { $0.device == camera.device }
            candidate.timeline.removeAll { $0.camera == camera.device }
            if try fails(candidate) { best = candidate }
        }
        for camera in best.session.cameras {
            let candidate = best.withOnly(camera)
            if try fails(candidate) {
                best = candidate
                return
            }
        }
        for index in best.session.cameras.indices {
            for output in best.session.cameras[index].outputs where best.session.cameras[index].outputs.count > 1 {
                var candidate = best
                candidate.session.cameras[index].outputs.removeAll { $0 == output }
                if try fails(candidate) { best = candidate }
            }
        }
    }

    /// Returns the scenario with only one of its cameras, in a session with one camera.
    private func withOnly(_ camera: Session.Camera) -> Scenario {
        var result = self
        result.session.cameras = []
        result.session.camera = camera.device
        result.session.outputs = camera.outputs + session.outputs
        if let size = camera.size, let preset = Session.presets.first(where: { $0.name == "\(size[0])x\(size[1])" }) {
            result.session.preset = preset.value
        }
        result.timeline = timeline.filter { $0.camera == nil || $0.camera == camera.device }
        for index in result.timeline.indices { result.timeline[index].camera = nil }
        for index in result.expectations.indices {
            guard case .state(.recordingOfCamera(camera.device, _), let state, let lasting) = expectations[index].kind
            else { continue }
            result.expectations[index].kind = .state(.recording, state, lasting: lasting)
        }
        return result
    }

    /// Removes the photo library, or, if the failure depends on it, some of its assets and albums.
    private static func reduceLibrary(of best: inout Scenario, _ fails: (Scenario) throws -> Bool) rethrows {
        guard best.devices.library != nil else { return }
        var candidate = best
        candidate.devices.library = nil
        if try fails(candidate) {
            best = candidate
            return
        }
        try reduce(\.libraryAssets, of: &best, fails)
        try reduce(\.libraryAlbums, of: &best, fails)
        for index in best.libraryAssets.indices where best.libraryAssets[index].count > 1 {
            var candidate = best
            candidate.libraryAssets[index].count = 1
            if try fails(candidate) { best = candidate }
        }
    }

    /// The assets of the photo library at the beginning.
    private var libraryAssets: [Library.Asset] {
        get { devices.library?.assets ?? [] }
        set { devices.library?.assets = newValue }
    }

    /// The titles of the albums at the beginning, except for albums that only assets name.
    private var libraryAlbums: [String] {
        get { devices.library?.albums ?? [] }
        set { devices.library?.albums = newValue }
    }

    /// Removes the elements of a list that the failure does not depend on: first halves, then smaller parts.
    private static func reduce<Element>(
        _ list: WritableKeyPath<Scenario, [Element]>, of best: inout Scenario, _ fails: (Scenario) throws -> Bool
    ) rethrows {
        var size = max(1, best[keyPath: list].count / 2)
        while true {
            var start = 0
            var isReduced = false
            while start < best[keyPath: list].count {
                var candidate = best
                let end = min(start + size, best[keyPath: list].count)
                candidate[keyPath: list].removeSubrange(start..<end)
                if try fails(candidate) {
                    best = candidate
                    isReduced = true
                } else {
                    start += size
                }
            }
            if size == 1, !isReduced { return }
            size = max(1, size / 2)
        }
    }

    /// Returns the scenario with the earliest end found at which it still fails.
    func withEarlierEnd(_ fails: (Scenario) throws -> Bool) rethrows -> Scenario {
        var best = self
        let first = timeline.last?.time.seconds ?? 0
        // Tries the time of the last step, then times that halve the distance to the original end.
        var fraction = 0.0
        while fraction < 0.9 {
            var candidate = self
            let milliseconds = ((first + (end.seconds - first) * fraction) * 1000).rounded(.up)
            candidate.end = CMTime(value: Int64(milliseconds), timescale: 1000)
            if candidate.end > .zero, candidate.end < best.end, try fails(candidate) {
                best = candidate
                break
            }
            fraction = (1 + fraction) / 2
        }
        return best
    }
}
