/// Pixels in memory that the caller owns, such as a driver's buffer, without a copy.
///
/// The owner fills the memory again and again; each frame gets its own pixel buffer. Only one of them exists at a time.
/// - Important: Thread-safe.
package final class ExternalPixelMemory: PixelMemoryOwner {
    private let memory: PixelMemory
    private let bufferWasReleased: @Sendable () -> Void

    /// Describes the memory; nil if the planes do not fit the format.
    ///
    /// - Parameters:
    ///   - planes: As many as the format has, in its order, each at least as large as the format requires; they must
    ///     stay readable and writable while this object or a pixel buffer exists.
    ///   - attachments: The initial attachments of each pixel buffer.
    ///   - formatDescription: The format description for these attachments, if it is known.
    ///   - bufferWasReleased: Called on any thread after the last reference to a pixel buffer is released.
    package init?(
        width: Int, height: Int, pixelFormat: OSType, planes: [PixelPlane],
        attachments: CMAttachmentBearerAttachments = CMAttachmentBearerAttachments(),
        formatDescription: CMFormatDescription? = nil, bufferWasReleased: @escaping @Sendable () -> Void
    ) {
        guard let format = PixelFormat.format(of: pixelFormat),
            format.accepts(planes, width: width, height: height)
        else { return nil }
        memory = PixelMemory(
            format, width: width, height: height, planes: planes, attachments: attachments.entries,
            formatDescription: formatDescription, release: {})
        self.bufferWasReleased = bufferWasReleased
    }

    /// The planes, one for a packed format.
    package var planes: [PixelPlane] { memory.planes }

    /// Creates a pixel buffer with the initial attachments.
    ///
    /// - Precondition: The previous pixel buffer was released.
    package func makeBuffer() -> CVPixelBuffer { CVPixelBuffer(memory, owner: self) }

    func recycle(_ memory: PixelMemory) {
        memory.reset()
        bufferWasReleased()
    }
}
