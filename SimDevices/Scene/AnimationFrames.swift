import MediaTypes

/// The bitmaps of an animated object, one for each phase of its motion, all of the same width.
///
/// A bitmap is painted on first use: most moving objects of `StreetScene` are outside the view at any time.
/// - Important: Thread-safe.
final class AnimationFrames: Sendable {
    let count: Int
    /// Width of each bitmap in pixels.
    let width: Int
    private let paint: @Sendable (Int) -> SceneBitmap
    private let painted: Lock<[SceneBitmap?]>

    /// Creates the frames of an animation.
    ///
    /// - Parameters:
    ///   - count: Number of phases.
    ///   - width: Width of each bitmap in pixels.
    ///   - paint: Returns the bitmap of a phase. It must return the same one each time.
    init(count: Int, width: Int, paint: @escaping @Sendable (Int) -> SceneBitmap) {
        self.count = count
        self.width = width
        self.paint = paint
        painted = Lock([SceneBitmap?](repeating: nil, count: count))
    }

    /// The bitmap of a phase.
    subscript(_ phase: Int) -> SceneBitmap {
        // `paint` calls no client code, so it can run under the lock. Concurrent callers wait for the bitmap instead of
        // painting it again.
        painted.withLock { painted in
            if let known = painted[phase] { return known }
            let bitmap = paint(phase)
            painted[phase] = bitmap
            return bitmap
        }
    }
}
