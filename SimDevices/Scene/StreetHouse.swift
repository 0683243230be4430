import MediaTypes

/// A house of the street: shop, floors with windows, cornice. Lengths are in meters; y is relative to the camera's
/// height.
struct StreetHouse {
    typealias Color = SceneCanvas.Color

    let left: Double
    let width: Double
    /// The number of floors above the shop.
    let floors: Int
    /// The initial state of the generator that determines the appearance. `paint` and `paintGlow` start with copies of
    /// it.
    let random: SplitMix64
    /// The y coordinate of the ground.
    let ground: Double

    /// Paints the façade.
    func paint(_ canvas: SceneCanvas) {
        var random = random
        let wall = random.pick([
            Color(0xa65f4b), Color(0xcdbb97), Color(0xb9846a), Color(0x9aa3a6), Color(0xd9cdb8), Color(0x8c5a50),
            Color(0xc2a878), Color(0x7f93a0),
        ])
        let trim = random.pick([Color(0xece6d8), Color(0xd8d2c4), Color(0xf1ede4)])
        let right = left + width
        let shopTop = ground + 3.4
        let top = shopTop + Double(floors) * 2.95 + 0.5
        let isBrick = random.number(in: 0...1) < 0.6
        canvas.rectangle(
            left - 0.03, top, right + 0.03, ground, wall.scaled(1.06), wall.scaled(0.92),
            texture: SceneCanvas.Texture(
                strength: isBrick ? 90 : 30, width: isBrick ? 0.22 : 0.6, height: isBrick ? 0.075 : 0.6,
                seed: UInt32(truncatingIfNeeded: random.next())))
        let columns = max(2, Int(width / 2.1))
        let pitch = width / Double(columns)
        let pane = random.number(in: 0.45...0.58) * pitch
        for floor in 0..<floors {
            let sill = shopTop + 0.75 + Double(floor) * 2.95
            for column in 0..<columns {
                let x = left + (Double(column) + 0.5) * pitch - pane / 2
                paintWindow(canvas, x: x, y: sill, width: pane, height: 1.75, trim: trim, appearance: random.next())
            }
        }
        // Cornice and its shadow.
        canvas.rectangle(left - 0.12, top + 0.08, right + 0.12, top - 0.3, trim, trim.scaled(0.86))
        canvas.rectangle(left, top - 0.3, right, top - 0.46, wall.scaled(0.7))
        paintShop(canvas, top: shopTop, trim: trim, random: &random)
        // The shadow line between adjacent houses.
        canvas.rectangle(right - 0.07, top - 0.3, right + 0.03, ground, wall.scaled(0.66))
    }

    /// Paints a window by day.
    ///
    /// - Parameter appearance: A random number that determines the color of the glass and whether there are curtains.
    private func paintWindow(
        _ canvas: SceneCanvas, x: Double, y: Double, width: Double, height: Double, trim: Color, appearance: UInt64
    ) {
        canvas.rectangle(x - 0.1, y + height + 0.14, x + width + 0.1, y - 0.12, trim, trim.scaled(0.92))
        let glass = appearance % 7 == 0 ? Color(0xe8c98a) : appearance % 3 == 0 ? Color(0x5f7688) : Color(0x3f505e)
        canvas.rectangle(x, y + height, x + width, y, glass.scaled(1.35), glass.scaled(0.8))
        if appearance % 4 == 1 {
            // Curtains.
            canvas.rectangle(x, y + height, x + width * 0.28, y, Color(0xcfc8ba), Color(0xb5ae9f))
            canvas.rectangle(x + width * 0.72, y + height, x + width, y, Color(0xcfc8ba), Color(0xb5ae9f))
        }
        let bar = 0.045
        canvas.rectangle(x + width / 2 - bar, y + height, x + width / 2 + bar, y, trim.scaled(0.95))
        canvas.rectangle(x, y + height * 0.62 + bar, x + width, y + height * 0.62 - bar, trim.scaled(0.95))
        canvas.rectangle(x - 0.16, y - 0.1, x + width + 0.16, y - 0.2, trim.scaled(0.82))
    }

    /// Paints the lit windows at night.
    ///
    /// Random numbers are drawn in the same order as in `paint`, so that the positions match.
    func paintGlow(_ canvas: SceneCanvas) {
        var random = random
        _ = (random.next(), random.next(), random.next(), random.next())
        let shopTop = ground + 3.4
        let columns = max(2, Int(width / 2.1))
        let pitch = width / Double(columns)
        let pane = random.number(in: 0.45...0.58) * pitch
        for floor in 0..<floors {
            let sill = shopTop + 0.75 + Double(floor) * 2.95
            for column in 0..<columns {
                let appearance = random.next()
                guard appearance % 7 == 0 || appearance % 11 < 2 else { continue }
                let x = left + (Double(column) + 0.5) * pitch - pane / 2
                let color =
                    appearance % 5 == 0 ? Color(0xd7e4f2) : appearance % 2 == 0 ? Color(0xffd38a) : Color(0xf2b45e)
                glow(canvas, x: x, y: sill, width: pane, height: 1.75, color, hasCurtains: appearance % 4 == 1)
            }
        }
        paintShopGlow(canvas, top: shopTop, random: &random)
    }

    private func glow(
        _ canvas: SceneCanvas, x: Double, y: Double, width: Double, height: Double, _ color: Color, hasCurtains: Bool
    ) {
        let bar = 0.045
        let (middle, rail) = (x + width / 2, y + height * 0.62)
        for (from, to) in [(x, middle - bar), (middle + bar, x + width)] {
            canvas.rectangle(from, y + height, to, rail + bar, color, color.scaled(0.95))
            canvas.rectangle(from, rail - bar, to, y, color.scaled(0.92), color.scaled(0.7))
        }
        guard hasCurtains else { return }
        for (from, to) in [(x, x + width * 0.28), (x + width * 0.72, x + width)] {
            canvas.rectangle(from, y + height, to, y, color.scaled(0.6), color.scaled(0.45))
        }
    }

    private func paintShopGlow(_ canvas: SceneCanvas, top: Double, random: inout SplitMix64) {
        _ = random.next()
        let letterCount = 5 + Int(random.next() % 5)
        for _ in 0..<letterCount { _ = random.next() }
        let right = left + width
        let isDoorLeft = random.next() % 2 == 0
        let door = isDoorLeft ? left + 0.5 : right - 1.6
        let (glassLeft, glassRight) = door < left + 1 ? (door + 1.35, right - 0.4) : (left + 0.4, door - 0.25)
        // Half of the shops are closed, with dim light inside.
        let isOpen = letterCount % 2 == 0
        let inside = isOpen ? Color(0xffe2ac) : Color(0x6b5a44)
        canvas.rectangle(
            glassLeft, top - (isOpen ? 0.8 : 1.4), glassRight, ground + 0.55, inside, inside.scaled(0.72))
        var x = glassLeft + 0.15
        while x < glassRight - 0.5 {
            let color = random.pick([
                Color(0xc9583f), Color(0xd9b44a), Color(0x5f8f6a), Color(0xe6ded0), Color(0x6f6fa8),
            ])
            let height = random.number(in: 0.3...0.95)
            let shade = isOpen ? 0.75 : 0.3
            canvas.rectangle(
                x, ground + 0.6 + height, x + 0.34, ground + 0.6, color.scaled(shade), color.scaled(shade * 0.6))
            x += random.number(in: 0.42...0.7)
        }
        // The awning covers the upper part.
        if random.next() % 3 != 0 {
            canvas.rectangle(
                glassLeft - 0.15, top - 0.65, glassRight + 0.15, top - 1.4, Color(0x2a2420), Color(0x3a3028))
        }
    }

    /// Returns the name of a shop.
    ///
    /// - Parameters:
    ///   - letterCount: The number of letters, from 5 to 9.
    ///   - choice: A random number that selects one of the names with this number of letters.
    static func shopName(letterCount: Int, choice: UInt64) -> String {
        let names = [
            ["BOOKS", "SHOES", "FRUIT", "WINES"], ["BAKERY", "CHEESE", "TAILOR", "OPTICS"],
            ["FLOWERS", "GROCERY", "JEWELER", "BUTCHER"], ["PHARMACY", "BICYCLES", "HARDWARE", "ANTIQUES"],
            ["CHOCOLATE", "FURNITURE", "ICE CREAM", "STATIONER"],
        ][min(max(letterCount - 5, 0), 4)]
        return names[Int(choice % 4)]
    }

    private func paintShop(_ canvas: SceneCanvas, top: Double, trim: Color, random: inout SplitMix64) {
        let paint = random.pick([Color(0x2f5d50), Color(0x7a2f33), Color(0x2f4468), Color(0x4d4a46), Color(0x8a6a2f)])
        let right = left + width
        canvas.rectangle(left + 0.15, top - 0.05, right - 0.15, ground, paint, paint.scaled(0.85))
        canvas.rectangle(left + 0.35, top - 0.15, right - 0.35, top - 0.62, paint.scaled(0.7))
        // `paintShopGlow` draws the same random numbers.
        let letterCount = 5 + Int(random.next() % 5)
        let choices = (0..<letterCount).map { _ in random.next() }
        canvas.write(
            Self.shopName(letterCount: letterCount, choice: choices[0]), x: left + width / 2, y: top - 0.51,
            height: 0.25, maximumWidth: width - 0.9, alignment: .center, Color(0xf2e9cf))
        let door = random.next() % 2 == 0 ? left + 0.5 : right - 1.6
        canvas.rectangle(door, top - 0.8, door + 1.1, ground + 0.05, trim.scaled(0.8), paint.scaled(0.6))
        canvas.rectangle(door + 0.15, top - 0.95, door + 0.95, ground + 0.5, Color(0x6d8391), Color(0x39464f))
        let (glassLeft, glassRight) = door < left + 1 ? (door + 1.35, right - 0.4) : (left + 0.4, door - 0.25)
        canvas.rectangle(glassLeft, top - 0.8, glassRight, ground + 0.55, Color(0x8fa3ad), Color(0x4b5a62))
        // Goods in the shop window.
        var x = glassLeft + 0.15
        while x < glassRight - 0.5 {
            let color = random.pick([
                Color(0xc9583f), Color(0xd9b44a), Color(0x5f8f6a), Color(0xe6ded0), Color(0x6f6fa8),
            ])
            let height = random.number(in: 0.3...0.95)
            canvas.rectangle(x, ground + 0.6 + height, x + 0.34, ground + 0.6, color, color.scaled(0.75))
            x += random.number(in: 0.42...0.7)
        }
        guard random.next() % 3 != 0 else { return }
        // A striped awning.
        let cloth = random.pick([Color(0xb8433b), Color(0x3f6f8f), Color(0x3f7a55), Color(0xc98a34)])
        let stripes = max(4, Int((glassRight - glassLeft) / 0.35))
        let step = (glassRight - glassLeft + 0.3) / Double(stripes)
        for stripe in 0..<stripes {
            let x = glassLeft - 0.15 + Double(stripe) * step
            let color = stripe % 2 == 0 ? cloth : Color(0xf0eadc)
            canvas.fill(
                [(x, top - 0.65), (x + step, top - 0.65), (x + step, top - 1.35), (x, top - 1.35)], color.scaled(1.05),
                color.scaled(0.82))
            canvas.ellipse(x + step / 2, top - 1.35, step / 2, 0.1, color.scaled(0.82))
        }
    }
}
