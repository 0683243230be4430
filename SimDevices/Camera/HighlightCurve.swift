import MediaTypes
import PixelKernels

/// The inverse of the kernel's transfer functions for metering: the compression of highlights with HDR, and HLG.
enum HighlightCurve {
    /// Returns the full-range luma of white with HDR, 0 … 255. Without HDR, brighter light is clipped.
    ///
    /// - Parameter headroom: The maximum luminance that is preserved, relative to white.
    static func whiteCode(headroom: Double) -> Int {
        Int((255 * HighlightCompression(headroom: headroom).signal(ofLight: 1)).rounded(.up))
    }

    /// Returns the linear light of each histogram bin with HDR. A bin covers four codes of full-range luma. White is 1;
    /// brighter light is clipped to 1.
    static func binLights(headroom: Double) -> [Double] {
        let curve = HighlightCompression(headroom: headroom)
        return (0..<64).map { min(curve.light(ofSignal: signal(ofBin: $0)), 1) }
    }

    /// The linear light of each histogram bin with the transfer function HLG. White is 1; brighter light is clipped to
    /// 1.
    static let hlgBinLights: [Double] = (0..<64).map {
        min(HybridLogGamma.light(ofSignal: signal(ofBin: $0)) / HybridLogGamma.white, 1)
    }

    /// Returns the signal in the middle of the four codes of a bin.
    private static func signal(ofBin bin: Int) -> Double { (4 * Double(bin) + 1.5) / 255 }
}
