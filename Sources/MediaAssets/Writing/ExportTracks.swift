package import AssetTypes
package import MediaCodecs
package import MediaTypes

/// The tracks that an export writes to a movie without a writer input, and the references of all exported tracks.
///
/// - Important: Confined to one thread at a time.
package final class ExportTracks {
    private struct Track {
        let assetTrack: AVAssetTrack
        let source: any ExportTrack
        /// Nil before the track is added to the writer.
        var id: MovieTrackID?
        /// A sample that was read but not yet written.
        var next: ExportSample?
    }

    private struct Reference: Hashable {
        let type: String
        let source: MovieTrackID
        let target: MovieTrackID
    }

    private var tracks: [Track] = []
    /// The asset's tracks that writer inputs encode, each with the index of its input.
    private let encoded: [(assetTrack: AVAssetTrack, input: Int)]

    package init(encoded: [(assetTrack: AVAssetTrack, input: Int)] = []) { self.encoded = encoded }

    package var isEmpty: Bool { tracks.isEmpty }
    /// Descriptions of the boxes of the source tracks that the tracks do not contain.
    package var omittedBoxes: [String] { tracks.flatMap(\.source.omittedBoxes) }

    /// Adds a track of the asset, before `begin(in:inputs:)`.
    package func append(_ track: AVAssetTrack, _ source: any ExportTrack) {
        tracks.append(Track(assetTrack: track, source: source))
    }

    /// Adds the tracks and the references to the movie, before its first sample.
    ///
    /// - Parameter inputs: The tracks of the writer inputs in the movie; nil for one without samples.
    package func begin(in writer: MovieFileWriter, inputs: [MovieTrackID?] = []) throws(AVError) {
        for index in tracks.indices {
            let source = tracks[index].source
            var configuration = source.configuration
            // The tracks of inputs have numbers in the order of the inputs.
            if !encoded.isEmpty { configuration.number = nil }
            do throws(MovieError) {
                let id = try writer.addTrack(configuration)
                source.begin(id, in: writer)
                tracks[index].id = id
            } catch {
                throw AVError(error)
            }
            tracks[index].next = try source.next()
        }
        var written = encoded.compactMap { track, input in inputs[input].map { (track, $0) } }
        written += tracks.compactMap { track in track.id.map { (track.assetTrack, $0) } }
        addReferences(between: written, in: writer)
    }

    /// Copies the references between tracks of the asset.
    private func addReferences(
        between tracks: [(assetTrack: AVAssetTrack, id: MovieTrackID)], in writer: MovieFileWriter
    ) {
        var known: Set<Reference> = []
        for (track, id) in tracks {
            for (type, numbers) in track.map.references.sorted(by: { $0.key < $1.key }) {
                // The numbers keep their order, which has a meaning for some types.
                for number in numbers {
                    // Several tracks of the asset can be encoded as one.
                    guard let other = tracks.first(where: { $0.assetTrack.map.number == number })?.id, other != id,
                        known.insert(Reference(type: type, source: id, target: other)).inserted
                    else { continue }
                    writer.addReference(from: id, to: other, ofType: type)
                }
            }
        }
    }

    /// The position of the next sample; nil after the last one.
    package var position: CMTime? { next.flatMap { tracks[$0].next?.position } }

    /// The index of the track with the earliest next sample; nil after the last sample.
    private var next: Int? {
        tracks.indices.lazy.compactMap { index in self.tracks[index].next.map { (index, $0.position) } }
            .min { $0.1 < $1.1 }?.0
    }

    /// Appends the next sample to the movie.
    package func appendNext(to writer: MovieFileWriter) throws(AVError) {
        guard let index = next, let id = tracks[index].id, let sample = tracks[index].next?.sample else { return }
        do throws(MovieError) {
            try writer.append(sample, to: id)
        } catch {
            throw AVError(error)
        }
        tracks[index].next = try tracks[index].source.next()
        if tracks[index].next == nil { tracks[index].source.finish(id, in: writer) }
    }
}
