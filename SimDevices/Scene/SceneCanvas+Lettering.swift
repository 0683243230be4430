/// Text in a stroke font.
extension SceneCanvas {
    /// Draws capital letters, digits and some punctuation marks. Other characters are left blank.
    ///
    /// - Parameters:
    ///   - x: Position of the bottom left corner, with `y`.
    ///   - width: Width of a letter; the advance is 1.4 times the width. Nil for two thirds of the height.
    func write(
        _ text: String, x: Double, y: Double, height: Double, width: Double? = nil, weight: Double = 0.07,
        _ color: Color
    ) {
        let width = width ?? height * 2 / 3
        var left = x
        for letter in text.uppercased() {
            for stroke in Self.strokes[letter] ?? [] {
                let points = stride(from: 0, to: stroke.utf8.count - 1, by: 2).map { index -> (x: Double, y: Double) in
                    let pair = Array(stroke.utf8)[index...]
                    return (
                        left + Double(pair[index] - 48) / 4 * width, y + Double(pair[index + 1] - 48) / 6 * height
                    )
                }
                for (from, to) in zip(points, points.dropFirst()) {
                    capsule(from.x, from.y, to.x, to.y, weight * height, color)
                }
            }
            left += 1.4 * width
        }
    }

    /// Returns the width of a text that `write` draws with the default letter width.
    static func width(of text: String, height: Double) -> Double {
        max(0, 1.4 * Double(text.count) - 0.4) * height * 2 / 3
    }

    /// Each stroke is a polyline on a grid from (0, 0) at the bottom left to (4, 6).
    private static let strokes: [Character: [String]] = [
        "A": ["002640", "1232"], "B": ["0006", "063645443303", "334241300000"], "C": ["4536160501103041"],
        "D": ["00062644422000"], "E": ["46060040", "0333"], "F": ["460600", "0333"], "G": ["45361605011030414323"],
        "H": ["0006", "4046", "0343"], "I": ["2026"], "J": ["4641301001"], "K": ["0006", "460340"], "L": ["060040"],
        "M": ["0006234640"], "N": ["00064046"], "O": ["160501103041453616"], "P": ["00063645443303"],
        "Q": ["160501103041453616", "2240"], "R": ["00063645443303", "2340"], "S": ["453616050413334241301001"],
        "T": ["0646", "2620"], "U": ["060110304146"], "V": ["062046"], "W": ["0610233046"], "X": ["0046", "0640"],
        "Y": ["0623", "4623", "2320"], "Z": ["06460040"], "0": ["160501103041453616"], "1": ["1526", "2620", "1030"],
        "2": ["05163645440040"], "3": ["05163645443313", "334241301001"], "4": ["30360242"],
        "5": ["460604344341301001"], "6": ["4536160501103041433404"], "7": ["064610"],
        "8": ["160504133344453616", "130201103041423313"], "9": ["0110304145361605031242"], "-": ["1333"],
        ".": ["2021"], "/": ["0046"], ":": ["2122", "2425"],
    ]
}
