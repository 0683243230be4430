import CaptureHAL
import MediaTypes

/// Assigns identifiers to the faces in successive frames, so that a face keeps its identifier while it is detected.
struct FaceTracker: Sendable {
    /// The time without detection after which a face loses its identifier; simulated cameras use the same time.
    static let timeout = CMTime(value: 1, timescale: 1)
    /// The minimum overlap of two bounding boxes of the same face, as a fraction of their union.
    static let minimumOverlap = 0.25

    private struct Track: Sendable {
        var face: DetectedFace
        var lastSeen: CMTime
    }

    private var tracks: [Track] = []
    private var nextID = 1

    /// Returns the faces of a frame with their identifiers. The `id` of the passed faces is ignored.
    mutating func identify(_ faces: [DetectedFace], at time: CMTime) -> [DetectedFace] {
        tracks.removeAll { time - $0.lastSeen > Self.timeout || time < $0.lastSeen }
        // The pairs that overlap most are matched first.
        let pairs = faces.indices.flatMap { face in
            tracks.indices.map { (face: face, track: $0, overlap: faces[face].overlap(with: tracks[$0].face)) }
        }.filter { $0.overlap >= Self.minimumOverlap }.sorted { $0.overlap > $1.overlap }
        var trackOfFace: [Int: Int] = [:]
        for pair in pairs where trackOfFace[pair.face] == nil && !trackOfFace.values.contains(pair.track) {
            trackOfFace[pair.face] = pair.track
        }
        return faces.indices.map { index in
            var face = faces[index]
            if let track = trackOfFace[index] {
                face.id = tracks[track].face.id
                tracks[track] = Track(face: face, lastSeen: time)
            } else {
                face.id = nextID
                nextID += 1
                tracks.append(Track(face: face, lastSeen: time))
            }
            return face
        }
    }
}

extension DetectedFace {
    /// Returns the area of the intersection of two boxes, as a fraction of the area of their union.
    fileprivate func overlap(with other: DetectedFace) -> Double {
        let common = bounds.intersection(other.bounds)
        guard !common.isNull else { return 0 }
        let area = common.width * common.height
        let union = width * height + other.width * other.height - area
        return union > 0 ? area / union : 0
    }
}
