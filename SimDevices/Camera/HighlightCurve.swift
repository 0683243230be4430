import MediaTypes

/// The compression of highlights above white when a second exposure preserves them; the inverse of the kernel's tables.
enum HighlightCurve {
    /// The start of the compression, as linear light and as its square root.
    private static let knee = 0.4
    private static let kneeRoot = 0.632455532033676

    /// Returns the linear light of every fourth code of full-range luma. White is 1; brighter light is clipped to 1.
    static func binLights(headroom: Double) -> [Double] {
        let kneeSignal = 1.099 * root45(knee) - 0.099
        let (rest, width) = (1 - kneeSignal, headroom.squareRoot() - kneeRoot)
        let steep = 1.099 * 0.45 * root45(knee) / knee * 2 * kneeRoot * width / rest
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

    /// x^0.45.
    private static func root45(_ x: Double) -> Double { RepeatableMath.exp2(0.45 * RepeatableMath.log2(x)) }
}
