import MediaTypes

/// How light above white is pressed together where a second exposure keeps it; the inverse of what the kernel tabulates.
enum HighlightCurve {
    /// Where it begins, as light and as its square root.
    private static let knee = 0.4
    private static let kneeRoot = 0.632455532033676

    /// The linear light of each fourth code of full-range luma, 1 being white and more than that kept as white.
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
            let part = (signal - kneeSignal) / rest
            let root = kneeRoot + width * part / (steep - (steep - 1) * part)
            return min(root * root, 1)
        }
    }

    /// x^0.45.
    private static func root45(_ x: Double) -> Double { RepeatableMath.exp2(0.45 * RepeatableMath.log2(x)) }
}
