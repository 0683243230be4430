import AssetTypes
import MediaCodecs
import MediaTypes

/// The timed metadata of a recording.
extension MovieRecording {
    /// Writes metadata of a connection. Metadata that is captured before the first frame is written with that frame.
    ///
    /// - Returns: The error that ends the recording, and whether the file is playable; nil if there is none.
    func process(
        _ metadata: ClientMetadata, from connection: AVCaptureConnection
    ) -> (reason: AVError, isPlayable: Bool)? {
        guard !isPausedBeforeStart, let track = self.metadata.firstIndex(where: { $0 === connection }) else {
            return nil
        }
        guard let recorder else {
            earlyMetadata[ObjectIdentifier(connection)] = metadata
            return nil
        }
        if let end = ending?.end, metadata.time >= end { return nil }
        do throws(MovieError) {
            try recorder.append(metadata: metadata.sample, track: track, at: metadata.time, duration: metadata.duration)
            return nil
        } catch {
            return (AVError(error), finish(after: error))
        }
    }

    /// Writes the metadata captured before the first frame; they apply from the first frame.
    func appendEarlyMetadata(to recorder: MovieRecorder, at start: CMTime) throws(MovieError) {
        for (track, connection) in metadata.enumerated() {
            guard let early = earlyMetadata[ObjectIdentifier(connection)] else { continue }
            let time = max(early.time, start)
            let duration = early.duration.isNumeric ? early.time + early.duration - time : early.duration
            guard !duration.isNumeric || duration > .zero else { continue }
            try recorder.append(metadata: early.sample, track: track, at: time, duration: duration)
        }
        earlyMetadata = [:]
    }
}

extension AVCaptureConnection {
    /// The format of the timed metadata of the connection; nil for other connections.
    var metadataFormat: TimedMetadataFormat? {
        (inputPorts.first?.ownerIfAlive as? AVCaptureMetadataInput)?.format
    }
}
