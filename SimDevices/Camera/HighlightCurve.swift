import MediaTypes

/// The compression of highlights above white when a second exposure preserves them; the inverse of the kernel's tables.
enum HighlightCurve {
    /// The start of the compression, as linear light and as its square root.
    private static let knee = 0.4
    private static let kneeRoot = 0.632455532033676

    /// The signal at the knee, 0 to 1.
    private static let kneeSignal = 1.099 * root45(knee) - 0.099

    /// The parameters of the compressed part for a headroom.
    private static func compression(headroom: Double) -> (rest: Double, width: Double, steep: Double) {
        let (rest, width) = (1 - kneeSignal, headroom.squareRoot() - kneeRoot)
        return (rest, width, 1.099 * 0.45 * root45(knee) / knee * 2 * kneeRoot * width / rest)
    }

    /// Returns the full-range luma of white, 0 to 255: light that is brighter is clipped without the second exposure.
    static func whiteCode(headroom: Double) -> Int {
        let (rest, width, steep) = compression(headroom: headroom)
        // The inverse of the formula in `binLights`, for a root of 1.
        let share = (1 - kneeRoot) / width
        let fraction = share * steep / (1 + share * (steep - 1))
        return Int((255 * (kneeSignal + rest * fraction)).rounded(.up))
    }

    /// Returns the linear light of every fourth code of full-range luma. White is 1; brighter light is clipped to 1.
    static func binLights(headroom: Double) -> [Double] {
        let (rest, width, steep) = compression(headroom: headroom)
        return (0..<64).map { bin in
            let signal = (4 * Double(bin) + 1.5) / 255
            if signal < 0.081 { return signal / 4.5 }
            if signal < kneeSignal {
                return RepeatableMath.exp2(RepeatableMath.log2((signal + 0.099) / 1.099) / 0.45)
            }
            let fraction = (signal - kneeSignal) / rest
            let root = kneeRoot + width * fraction / (steep - (steep - 1) * fraction)
            return min(root * root, 1)
        }
    }

    /// The same for the transfer function HLG.
    static let hlgBinLights: [Double] = (0..<64).map { bin in
        min(HybridLogGamma.light(ofSignal: (4 * Double(bin) + 1.5) / 255) / HybridLogGamma.white, 1)
    }

    /// x^0.45.
    private static func root45(_ x: Double) -> Double { RepeatableMath.exp2(0.45 * RepeatableMath.log2(x)) }
}
