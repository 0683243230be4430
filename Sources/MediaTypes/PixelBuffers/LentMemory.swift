/// Memory of others that is shown as a picture again and again, as a driver's buffer is.
///
/// A picture of it costs one small object: what describes it is made once and kept.
/// - Important: Thread-safe; the owner sees to it that there is one picture of it at a time.
package struct LentMemory: Sendable {
    let memory: PixelMemory

    /// - Parameters:
    ///   - planes: As many as the format has, in its order, each at least as large as the format asks for; they must stay
    ///     readable and writable while this value or a picture lives.
    ///   - attachments: What each picture begins with.
    ///   - description: Common to all memories of this shape with these attachments.
    ///   - giveBack: Called after each picture, on any thread, when its last user has let it go.
    /// - Returns: nil where the planes do not fit the format.
    package init?(
        width: Int, height: Int, pixelFormat: OSType, planes: [PixelPlane], attachments: CMAttachmentBearerAttachments,
        description: FirstDescription, giveBack: @escaping @Sendable () -> Void
    ) {
        guard let format = PixelFormat.format(of: pixelFormat), format.accepts(planes, width: width, height: height)
        else { return nil }
        memory = PixelMemory(
            format, width: width, height: height, planes: planes, attachments: attachments.entries,
            description: description, release: {}, giveBack: giveBack)
    }

    /// Gives the memory back as it is, in place of making a picture.
    package func giveBack() { memory.letGo() }

    /// Shows the memory as it is now.
    package func makePicture() -> CVPixelBuffer { CVPixelBuffer(memory) }
}
