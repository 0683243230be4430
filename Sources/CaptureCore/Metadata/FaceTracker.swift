import CaptureHAL
import MediaTypes

/// Gives faces that are detected in successive frames identifiers that last while a face is seen.
struct FaceTracker: Sendable {
    /// A face keeps its identifier until it has not been detected for this time, as with simulated cameras.
    static let timeout = CMTime(value: 1, timescale: 1)
    /// The part of two boxes' union that must be common if they are the same face.
    static let leastOverlap = 0.25

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
        }.filter { $0.overlap >= Self.leastOverlap }.sorted { $0.overlap > $1.overlap }
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
    /// The common part of two boxes, as a fraction of their union.
    fileprivate func overlap(with other: DetectedFace) -> Double {
        let common = bounds.intersection(other.bounds)
        guard !common.isNull else { return 0 }
        let area = common.width * common.height
        let union = width * height + other.width * other.height - area
        return union > 0 ? area / union : 0
    }
}
