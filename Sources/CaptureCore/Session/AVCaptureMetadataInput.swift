public import AssetTypes
import CaptureHAL
import Foundation
import MediaCodecs
public import MediaTypes

/// A group of timed metadata that a client supplies to a session.
struct ClientMetadata: Sendable {
    /// The bytes of the sample in the format of the input.
    let sample: Data
    let time: CMTime
    /// Invalid or indefinite if the group lasts until the next one.
    let duration: CMTime
}

/// A source of timed metadata that the client supplies; a movie file output records it in a separate track.
///
/// The input has one port, of the type `.metadata`.
/// - Important: Thread-safe.
public final class AVCaptureMetadataInput: AVCaptureInput, @unchecked Sendable {
    // SAFETY: `port` is set only in `init`; the time is behind a lock.
    let formatDescription: CMMetadataFormatDescription
    /// The keys of the metadata; nil if `formatDescription` does not describe boxed metadata.
    let format: TimedMetadataFormat?
    private let lastTime = Lock(CMTime.invalid)
    private var port: Port?

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - desc: Lists the identifiers and data types of all items; see
    ///     `AVTimedMetadataGroup.copyFormatDescription()`. A description of metadata that is not boxed is misuse.
    ///   - clock: The clock of the groups' times.
    public init(formatDescription desc: CMMetadataFormatDescription, clock: CMClock) {
        formatDescription = desc
        let misuse = CaptureSystem.current.misuse
        var message: String?
        do throws(TimedMetadataFormat.SettingsError) {
            format = try TimedMetadataFormat(desc)
        } catch {
            format = nil
            message = error.reason
        }
        super.init()
        port = Port(self, .metadata, misuse: misuse, clock: clock)
        guard let message else { return }
        misuse.report(
            .invalidArgument, "-[AVCaptureMetadataInput initWithFormatDescription:clock:] \(message)")
    }

    public override var ports: [Port] { port.map { [$0] } ?? [] }

    override func formatDescription(of port: Port) -> CMFormatDescription? { formatDescription }

    /// Passes a group to the movie file output. It has no effect if the input has no session or no movie is recorded.
    ///
    /// - Parameter metadata: Lasts until the next group if it has no duration. A group without items means that there
    ///   is no metadata. Its time must be later than the time of the previous group.
    /// - Throws: `AVError` if the time is not later, or if an item does not match the format description.
    public func append(_ metadata: AVTimedMetadataGroup) throws {
        let range = metadata.timeRange
        guard let format, range.start.isNumeric else {
            throw AVError(.unknown, "the metadata group at \(range.start.seconds) s cannot be appended")
        }
        let group = ClientMetadata(
            sample: try format.sample(of: metadata), time: range.start, duration: range.duration)
        let isLater = lastTime.withLock { lastTime in
            let isLater = !lastTime.isValid || group.time > lastTime
            if isLater { lastTime = group.time }
            return isLater
        }
        guard isLater else {
            throw AVError(
                .unknown, "the metadata group at \(range.start.seconds) s is not later than the previous one")
        }
        guard let session, let port, port.passesMedia else { return }
        for connection in session.connections(from: port) where connection.passesMedia {
            connection.consumer?.consume(group, from: connection)
        }
    }
}
