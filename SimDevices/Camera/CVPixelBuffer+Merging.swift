import CSimKernels
import MediaTypes

extension CVPixelBuffer {
    /// Merges other frames of the same exposure into this one, to reduce its noise.
    ///
    /// Where another frame differs by more than its noise, because something moved, it is not used (S. W. Hasinoff et
    /// al., "Burst photography for high dynamic range and low-light imaging on mobile cameras", SIGGRAPH Asia 2016,
    /// section 5).
    /// - Parameter others: 4:2:0 in two planes, with the size and format of this frame.
    /// - Returns: False if memory cannot be allocated.
    func merge(_ others: [CVPixelBuffer]) -> Bool {
        var first = mergeFrame
        let frames = others.map(\.mergeFrame)
        return withExtendedLifetime((self, others)) {
            csim_merge(
                &first, frames, Int32(frames.count), Int32(width), Int32(height), format.bitsPerComponent > 8 ? 1 : 0)
                == 0
        }
    }

    private var mergeFrame: csim_merge_frame {
        let (luma, chroma) = (planes[0], planes[1])
        return csim_merge_frame(
            luma: luma.baseAddress.assumingMemoryBound(to: UInt8.self),
            chroma: chroma.baseAddress.assumingMemoryBound(to: UInt8.self), lumaStride: Int32(luma.bytesPerRow),
            chromaStride: Int32(chroma.bytesPerRow))
    }
}
