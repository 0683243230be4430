import MediaTypes
import PixelKernels

/// The inverse of the kernel's tables, for the metering: of the compression of highlights above white when a second
/// exposure preserves them, and of HLG.
enum HighlightCurve {
    /// Returns the full-range luma of white, 0 to 255: light that is brighter is clipped without the second exposure.
    static func whiteCode(headroom: Double) -> Int {
        Int((255 * HighlightCompression(headroom: headroom).signal(ofLight: 1)).rounded(.up))
    }

    /// Returns the linear light of every fourth code of full-range luma. White is 1; brighter light is clipped to 1.
    static func binLights(headroom: Double) -> [Double] {
        let curve = HighlightCompression(headroom: headroom)
        return (0..<64).map { min(curve.light(ofSignal: signal(ofBin: $0)), 1) }
    }

    /// The same for the transfer function HLG.
    static let hlgBinLights: [Double] = (0..<64).map {
        min(HybridLogGamma.light(ofSignal: signal(ofBin: $0)) / HybridLogGamma.white, 1)
    }

    /// Returns the signal in the middle of four codes.
    private static func signal(ofBin bin: Int) -> Double { (4 * Double(bin) + 1.5) / 255 }
}
