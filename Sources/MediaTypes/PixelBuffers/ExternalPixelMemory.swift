/// Memory of the caller, such as a driver's buffer, that is used as a pixel buffer without a copy.
///
/// The caller writes each frame to the same memory and creates a pixel buffer for it. Only one pixel buffer exists at a
/// time.
/// - Important: Thread-safe.
package final class ExternalPixelMemory: PixelMemoryRecycler {
    private let memory: PixelMemory
    private let bufferWasReleased: @Sendable () -> Void

    /// Creates an object for existing memory; nil if the planes do not match the format and the size.
    ///
    /// - Parameters:
    ///   - planes: The planes of the format, in its order, each at least as large as the format requires. The memory
    ///     must remain readable and writable while this object or a pixel buffer exists.
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
    package func makeBuffer() -> CVPixelBuffer { CVPixelBuffer(memory, recycler: self) }

    func recycle(_ memory: PixelMemory) {
        memory.reset()
        bufferWasReleased()
    }
}
