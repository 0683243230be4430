import MediaTypes

/// The pictures of something that moves, one for each phase of its motion, all of one size.
///
/// Each is painted when it is first seen: most of a street's traffic is out of the picture most of the time.
/// - Important: Thread-safe.
final class ScenePhases: Sendable {
    let count: Int
    /// Pixels.
    let width: Int
    private let paint: @Sendable (Int) -> SceneBitmap
    private let painted: Lock<[SceneBitmap?]>

    /// - Parameters:
    ///   - width: Of each picture.
    ///   - paint: Makes the picture of a phase; the same one each time.
    init(count: Int, width: Int, paint: @escaping @Sendable (Int) -> SceneBitmap) {
        self.count = count
        self.width = width
        self.paint = paint
        painted = Lock([SceneBitmap?](repeating: nil, count: count))
    }

    subscript(_ phase: Int) -> SceneBitmap {
        // Painting is this module's own work, and others who want the same picture have to wait for it anyway.
        painted.withLock { painted in
            if let known = painted[phase] { return known }
            let bitmap = paint(phase)
            painted[phase] = bitmap
            return bitmap
        }
    }
}
