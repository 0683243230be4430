import CaptureHAL
import ThreeA

/// Assigns identifiers to the faces that one camera detects, from frame to frame.
struct SimFaceTracker: Sendable {
    private struct Track {
        /// The number of the person.
        var person: Int
        /// Nanoseconds.
        var lastDetectionTime: Int64
        /// The face with its identifier.
        var face: DetectedFace
    }

    /// Faces that were detected within the last second, from the largest to the smallest.
    private var tracks: [Track] = []
    private var lastID = 0

    /// A track ends if its face is not detected for this time, or if the time goes back.
    private static let timeoutNanoseconds: Int64 = 1_000_000_000

    /// Adds the faces of a frame and returns them with their identifiers, from the largest to the smallest.
    ///
    /// - Parameters:
    ///   - faces: The detected faces. Their identifiers are the numbers of the persons.
    ///   - nanoseconds: The time of the frame.
    mutating func track(_ faces: [DetectedFace], at nanoseconds: Int64) -> [DetectedFace] {
        if faces.isEmpty, tracks.isEmpty { return [] }
        tracks.removeAll { !(0..<Self.timeoutNanoseconds).contains(nanoseconds - $0.lastDetectionTime) }
        for face in faces {
            let index = tracks.firstIndex { $0.person == face.id }
            if index == nil { lastID += 1 }
            var tracked = face
            tracked.id = index.map { tracks[$0].face.id } ?? lastID
            let track = Track(person: face.id, lastDetectionTime: nanoseconds, face: tracked)
            if let index { tracks[index] = track } else { tracks.append(track) }
        }
        tracks.sort { ($0.face.height, $1.face.id) > ($1.face.height, $0.face.id) }
        return tracks.filter { $0.lastDetectionTime == nanoseconds }.map(\.face)
    }

    /// The regions of the faces for the automatic loops, the largest first.
    ///
    /// They include faces that were detected within the last second, so that the exposure remains steady while a face
    /// is briefly covered or, during a focus scan, out of focus.
    var regions: [MeteringRegion] { tracks.map { MeteringRegion($0.face) } }
}

extension MeteringRegion {
    /// Creates the region of a face.
    init(_ face: DetectedFace) {
        self.init(x: face.x + face.width / 2, y: face.y + face.height / 2, width: face.width, height: face.height)
    }
}
