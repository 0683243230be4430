/// The result of reading a media file.
public enum MediaFileEvent {
    /// A packet of a selected track.
    case packet(MediaPacket)
    /// Damaged data was skipped; the value describes it. Reading can continue.
    case damaged(String)
    /// The end of the file.
    case end
}
