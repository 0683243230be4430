import Synchronization

/// What becomes of the media of one stream while nobody changes anything on their way.
///
/// Made anew after each change, so that a frame asks one number in place of every lock on its way.
struct MediaPath: Sendable {
    /// Counts the changes of all on which a path depends, in the whole process: sessions, ports, connections, outputs.
    private static let changeCount = Atomic<UInt64>(0)

    /// The number of changes; a path that was begun at another number is to be made anew.
    static var version: UInt64 { changeCount.load(ordering: .acquiring) }

    /// Something on the way of media has changed; to be called where that is, after it or under its lock.
    static func change() { changeCount.add(1, ordering: .acquiringAndReleasing) }

    /// One connection that carries what comes.
    struct Branch: Sendable {
        let connection: AVCaptureConnection
        /// What takes most pictures at once; nil where the output must be asked.
        let shortcut: VideoDataReceiver?
    }

    /// The connections that are enabled, of ports that are.
    var branches: [Branch] = []
    /// Where the depth goes that comes with pictures: connections that are enabled, none without consent.
    var depthConnections: [AVCaptureConnection] = []
    /// That of the only branch.
    var shortcut: VideoDataReceiver?
    /// The same, where nothing but the picture is asked of a frame.
    var lentShortcut: VideoDataReceiver?
    /// Whether pictures go to more than one output.
    var hasSeveralEnds = false
    /// Whether the user has allowed what the stream delivers.
    var isAllowed = true
    /// Whether anything may come out of a port at all.
    var isOpen = false
}
