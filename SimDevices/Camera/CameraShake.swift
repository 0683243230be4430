import CSimKernels
import CaptureHAL

/// The effect of hand shake, and of stabilization, on the frames of one camera.
struct CameraShake: Sendable {
    /// The part of the scene that one frame shows. All offsets are in 65,536ths of a pixel.
    struct Window {
        /// Offset of the first row from its position without shake, in the middle of the row's exposure.
        var x: Int64
        var y: Int64
        /// Offset of the optical axis from its position without shake. Unlike `x` and `y`, it is not stabilized:
        /// stabilization moves the window within the image of the lens.
        var axisX: Int64
        var axisY: Int64
        /// Offset of each row from the row above it, due to the rolling shutter.
        var skewX: Int64
        var skewY: Int64
        /// Positions of the window during the exposure of a row, in the order of time, relative to the position in the
        /// middle of the exposure. They are the same for all rows.
        var taps: [csim_tap]
    }

    /// The rotation of the camera over time.
    let path: ShakePath
    /// Displacement of the window for a rotation of one radian, in pixels.
    private let pixelsPerRadian: Double
    /// Pixels rendered beyond each side of the frame, to allow for its displacement.
    let paddingX: Int
    let paddingY: Int
    private let view: SceneView
    private let readoutNanoseconds: Int64

    /// The maximum number of samples of the camera path during one exposure.
    private static let maximumTapCount = 16

    /// Creates the shake of one camera.
    ///
    /// - Parameters:
    ///   - shake: The hand shake of all cameras of the world.
    ///   - seed: The seed of the path. Cameras with the same seed rotate together.
    ///   - view: The view of the sensor, without padding.
    ///   - readoutSeconds: The time from the exposure of the first row to that of the last.
    init(_ shake: HandShake, seed: UInt64, view: SceneView, readoutSeconds: Double) {
        path = ShakePath(shake, seed: seed)
        self.view = view
        // For small angles, a rotation displaces all pixels by the same distance: the angle times the focal length.
        pixelsPerRadian = view.scale
        // `milliradians` is the root mean square of the angle. The angle is a sum of many sines and hardly ever exceeds
        // 4.5 times this value; `clamped` then limits the displacement.
        let maximumDisplacement = Int((4.5 * shake.milliradians / 1000 * view.scale).rounded(.up))
        // Even, with at least two more pixels.
        paddingX = (maximumDisplacement + 3) & ~1
        paddingY = (maximumDisplacement + 3) & ~1
        readoutNanoseconds = Int64((readoutSeconds * 1e9).rounded())
    }

    /// The view of the sensor, enlarged by the padding.
    var paddedView: SceneView {
        let width = view.width + 2 * paddingX
        // The tangent is proportional to the width. The ratio of the two tangents stays the same.
        let ratio = Double(width) / Double(view.width)
        return SceneView(
            width: width, height: view.height + 2 * paddingY, tangentOfHalfView: view.tangentOfHalfView * ratio,
            widestTangent: view.widestTangent * ratio)
    }

    /// Returns the window of a frame.
    ///
    /// - Parameters:
    ///   - time: The start of the exposure of the first row, in nanoseconds.
    ///   - exposure: The exposure time in nanoseconds.
    ///   - filter: The filter of the stabilization mode.
    ///   - margin: The stabilizer's crop margin on each side, as a fraction of the frame's width or height.
    func window(at time: Int64, exposure: Int64, filter: StabilizationFilter, margin: Double) -> Window {
        let middle = time + exposure / 2
        let start = position(at: middle, filter, margin)
        let axis = position(at: middle, .none, margin)
        let end = position(at: middle + readoutNanoseconds, filter, margin)
        let rows = Int64(view.height)
        return Window(
            x: start.x, y: start.y, axisX: axis.x, axisY: axis.y, skewX: (end.x - start.x) / rows,
            skewY: (end.y - start.y) / rows,
            taps: taps(from: time + readoutNanoseconds / 2, exposure: exposure))
    }

    /// Returns the window's position at a time, in 65,536ths of a pixel.
    private func position(at time: Int64, _ filter: StabilizationFilter, _ margin: Double) -> (x: Int64, y: Int64) {
        let unstabilized = pixels(path.angles(at: time))
        guard filter != .none else { return clamped(unstabilized.x, unstabilized.y) }
        let stabilized = pixels(path.angles(at: time, through: filter))
        let (limitX, limitY) = (limit(margin, view.width), limit(margin, view.height))
        return clamped(
            unstabilized.x + min(max(stabilized.x - unstabilized.x, -limitX), limitX),
            unstabilized.y + min(max(stabilized.y - unstabilized.y, -limitY), limitY))
    }

    /// Returns the positions of the window while the middle row is exposed, relative to that in the middle of the
    /// exposure.
    ///
    /// The stabilizer does not move its crop during an exposure, so only the unfiltered path determines them.
    private func taps(from time: Int64, exposure: Int64) -> [csim_tap] {
        let middle = pixels(path.angles(at: time + exposure / 2))
        let ends = (pixels(path.angles(at: time)), pixels(path.angles(at: time + exposure)))
        var length = 0.0
        for end in [ends.0, ends.1] {
            let (dx, dy) = (Double(end.x - middle.x) / 65536, Double(end.y - middle.y) / 65536)
            length += (dx * dx + dy * dy).squareRoot()
        }
        // Motion of less than half a pixel is not visible.
        let count = length < 0.5 ? 1 : min(Self.maximumTapCount, Int(length.rounded(.up)) + 1)
        guard count > 1 else { return [csim_tap(x: 0, y: 0)] }
        return (0..<count).map { index in
            let position = pixels(path.angles(at: time + exposure * Int64(2 * index + 1) / Int64(2 * count)))
            return csim_tap(x: Int32(clamping: position.x - middle.x), y: Int32(clamping: position.y - middle.y))
        }
    }

    /// Returns the maximum displacement by the stabilizer along a side of `length` pixels, in 65,536ths of a pixel.
    private func limit(_ margin: Double, _ length: Int) -> Int64 { Int64((margin * Double(length) * 65536).rounded()) }

    /// Limits a displacement to the padding.
    private func clamped(_ x: Int64, _ y: Int64) -> (x: Int64, y: Int64) {
        let (limitX, limitY) = (Int64(paddingX) << 16, Int64(paddingY) << 16)
        return (min(max(x, -limitX), limitX), min(max(y, -limitY), limitY))
    }

    /// Converts angles to 65,536ths of a pixel.
    private func pixels(_ angles: ShakePath.Angles) -> (x: Int64, y: Int64) {
        // The angles are in units of 2^-40 radians and the scale has 8 fractional bits, so the products are in units of
        // 2^-48 pixels. A shift by 32 results in 2^-16.
        let scale = Int64((pixelsPerRadian * 256).rounded())
        return ((angles.x * scale) >> 32, (angles.y * scale) >> 32)
    }
}
