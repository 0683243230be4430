import CSimKernels
import CaptureHAL

/// What a hand's shake, and a stabilizer against it, do to one camera's pictures.
struct CameraShake: Sendable {
    /// The window of the scene that one picture shows.
    struct Window {
        /// Its left top corner's distance from where it rests, in 65,536ths of a pixel.
        var x: Int64
        var y: Int64
        /// The same for the camera's own axis: no stabilizer moves that.
        var axisX: Int64
        var axisY: Int64
        /// By how much it moves from row to row, as the sensor is read out.
        var skewX: Int64
        var skewY: Int64
        /// Where it stands during the exposure, from `x` and `y`.
        var taps: [csim_tap]
    }

    let path: ShakePath
    /// Pixels of the picture that one radian moves it by.
    private let pixelsPerRadian: Double
    /// Pixels to each side of the picture that are painted for it to move in.
    let marginX: Int
    let marginY: Int
    private let view: SceneView
    private let readoutNanoseconds: Int64

    /// A picture that is blurred over more pixels is made of no more exposures.
    private static let mostTaps = 16

    init(_ shake: HandShake, seed: UInt64, view: SceneView, readoutSeconds: Double) {
        path = ShakePath(shake, seed: seed)
        self.view = view
        // Small angles move all of the picture alike.
        pixelsPerRadian = view.scale
        // Sums of many sines stay within four and a half times their root mean square but for once in weeks.
        let most = Int((4.5 * shake.milliradians / 1000 * view.scale).rounded(.up))
        marginX = (most + 3) & ~1
        marginY = (most + 3) & ~1
        readoutNanoseconds = Int64((readoutSeconds * 1e9).rounded())
    }

    /// The view that is painted: as seen by a sensor that is larger by the margins.
    var painted: SceneView {
        let width = view.width + 2 * marginX
        let share = Double(width) / Double(view.width)
        return SceneView(
            width: width, height: view.height + 2 * marginY, tangentOfHalfView: view.tangentOfHalfView * share,
            widestTangent: view.widestTangent * share)
    }

    /// The window for a picture whose exposure begins at `time`.
    ///
    /// - Parameter margin: By how much of the picture's width and height a stabilizer can move it at most.
    func window(at time: Int64, exposure: Int64, filter: StabilizationFilter, margin: Double) -> Window {
        let middle = time + exposure / 2
        let start = place(at: middle, filter, margin)
        let axis = place(at: middle, .none, margin)
        let end = place(at: middle + readoutNanoseconds, filter, margin)
        let rows = Int64(view.height)
        return Window(
            x: start.x, y: start.y, axisX: axis.x, axisY: axis.y, skewX: (end.x - start.x) / rows,
            skewY: (end.y - start.y) / rows,
            taps: taps(from: time + readoutNanoseconds / 2, exposure: exposure))
    }

    /// Where the window is at a time, in 65,536ths of a pixel.
    private func place(at time: Int64, _ filter: StabilizationFilter, _ margin: Double) -> (x: Int64, y: Int64) {
        let own = pixels(path.angles(at: time))
        guard filter != .none else { return clamped(own.x, own.y) }
        let wanted = pixels(path.angles(at: time, through: filter))
        let (mostX, mostY) = (limit(margin, view.width), limit(margin, view.height))
        return clamped(
            own.x + min(max(wanted.x - own.x, -mostX), mostX), own.y + min(max(wanted.y - own.y, -mostY), mostY))
    }

    /// Where the window stands while light falls on the middle row: the stabilizer's crop does not move before the end.
    private func taps(from time: Int64, exposure: Int64) -> [csim_tap] {
        let middle = pixels(path.angles(at: time + exposure / 2))
        let ends = (pixels(path.angles(at: time)), pixels(path.angles(at: time + exposure)))
        var length = 0.0
        for end in [ends.0, ends.1] {
            let (dx, dy) = (Double(end.x - middle.x) / 65536, Double(end.y - middle.y) / 65536)
            length += (dx * dx + dy * dy).squareRoot()
        }
        // Half a pixel cannot be seen.
        let count = length < 0.5 ? 1 : min(Self.mostTaps, Int(length.rounded(.up)) + 1)
        guard count > 1 else { return [csim_tap(x: 0, y: 0)] }
        return (0..<count).map { index in
            let place = pixels(path.angles(at: time + exposure * Int64(2 * index + 1) / Int64(2 * count)))
            return csim_tap(x: Int32(clamping: place.x - middle.x), y: Int32(clamping: place.y - middle.y))
        }
    }

    private func limit(_ margin: Double, _ side: Int) -> Int64 { Int64((margin * Double(side) * 65536).rounded()) }

    private func clamped(_ x: Int64, _ y: Int64) -> (x: Int64, y: Int64) {
        let (mostX, mostY) = (Int64(marginX) << 16, Int64(marginY) << 16)
        return (min(max(x, -mostX), mostX), min(max(y, -mostY), mostY))
    }

    /// In 65,536ths.
    private func pixels(_ angles: ShakePath.Angles) -> (x: Int64, y: Int64) {
        let scale = Int64((pixelsPerRadian * 256).rounded())
        return ((angles.x * scale) >> 32, (angles.y * scale) >> 32)
    }
}
