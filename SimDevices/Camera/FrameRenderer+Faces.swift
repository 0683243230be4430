import CaptureHAL
import PixelKernels

/// The face detector of a simulated camera. It reads the people from the scene, and reports the faces that a detector
/// would recognize in the frame.
extension FrameRenderer {
    /// The minimum height of a detected face, as a fraction of the frame's height.
    private static let smallestHeight = 0.03
    /// The minimum fraction of a face that must be visible.
    private static let minimumVisibleFraction = 0.6
    /// The diameter of the circle of confusion at which a face is not recognizable, as a fraction of its height.
    private static let largestBlur = 0.12
    /// The minimum signal of detected skin, as a fraction of saturation: a luma of about 7 on a scale of 255.
    private static let darkestSignal = 0.006
    /// The reflectance of skin. A detector finds faces of any color; this is a mean.
    private static let skinReflectance = 0.3

    /// Returns the faces in the frame that was rendered last, with the persons' numbers as identifiers.
    ///
    /// - Parameters:
    ///   - nanoseconds: The time of the frame.
    ///   - state: The state with which it was rendered.
    func detectFaces(at nanoseconds: Int64, state: CameraState) -> [DetectedFace] {
        let faces = scene.faces(at: nanoseconds)
        guard !faces.isEmpty else { return [] }
        let illumination = Illumination(light.at(nanoseconds: nanoseconds), state, profile)
        let setting = LensSetting(profile, state)
        let layers = (scene.backdrop + scene.movingLayers(at: nanoseconds)).filter { $0.rowDepth == nil }
        return faces.compactMap { face in
            let light = illumination.relativeLight(brightness: 1, depth: face.depth).green
            guard illumination.whiteLevel.green * light * Self.skinReflectance >= Self.darkestSignal else { return nil }
            let blur = 2 * setting.blurRadius(depth: face.depth, width: view.width)
            guard blur <= Self.largestBlur * face.height, isVisible(face, behind: layers) else { return nil }
            return detectedFace(face)
        }
    }

    /// Returns the pupils of the faces that `detectFaces` finds, with the position and the size in pixels of the frame.
    ///
    /// - Parameters:
    ///   - nanoseconds: The time of the frame.
    ///   - state: The state with which it was rendered.
    func pupils(at nanoseconds: Int64, state: CameraState) -> [Pupil] {
        let detected = Set(detectFaces(at: nanoseconds, state: state).map(\.id))
        let radius = Pupil.radiusMeters(lux: light.at(nanoseconds: nanoseconds).lux)
        let pixels = 65536 / Double(window.step)
        return scene.faces(at: nanoseconds).filter { detected.contains($0.person) }.flatMap { face in
            // As `ScenePerson` paints the eyes, relative to the center of the face's box.
            let scale = face.width / 0.16
            return [-1.0, 1.0].map { side in
                let center = frameRectangle(face.x + side * 0.033 * scale, face.y - 0.0045 * scale, 0, 0)
                return Pupil(
                    x: center.x * Double(view.width), y: center.y * Double(view.height),
                    radius: radius * scale * pixels, depth: face.depth)
            }
        }
    }

    /// Converts a face to the coordinates of the frame; returns nil if it is too small.
    private func detectedFace(_ face: SceneFace) -> DetectedFace? {
        let box = frameRectangle(face.x - face.width / 2, face.y - face.height / 2, face.width, face.height)
        // If the sensor is rotated by 90 or 270 degrees, the height of the face extends along its rows.
        let height = rotation.swapsWidthAndHeight ? box.width * Double(view.width) : box.height * Double(view.height)
        guard height >= Self.smallestHeight * Double(view.height) else { return nil }
        let (left, top) = (max(box.x, 0), max(box.y, 0))
        return DetectedFace(
            id: face.person, x: left, y: top, width: min(box.x + box.width, 1) - left,
            height: min(box.y + box.height, 1) - top, roll: Self.normalized(face.roll + Double(rotation.rawValue)),
            yaw: Self.normalized(face.yaw))
    }

    /// Returns whether enough of a face is inside the frame and not covered by nearer layers.
    private func isVisible(_ face: SceneFace, behind layers: [PlacedLayer]) -> Bool {
        let nearer = layers.filter { $0.depth < face.depth }
        let (columns, rows) = (5, 7)
        var (visibleCount, count) = (0, 0)
        for row in 0..<rows {
            for column in 0..<columns {
                // From -1 to 1 in the bounding box; a face is an ellipse.
                let x = (Double(column) + 0.5) / Double(columns) * 2 - 1
                let y = (Double(row) + 0.5) / Double(rows) * 2 - 1
                guard x * x + y * y <= 1 else { continue }
                count += 1
                let (sceneX, sceneY) = (face.x + x * face.width / 2, face.y + y * face.height / 2)
                let point = frameRectangle(sceneX, sceneY, 0, 0)
                guard (0...1).contains(point.x), (0...1).contains(point.y) else { continue }
                let (pixelX, pixelY) = (Int(sceneX), Int(sceneY))
                if !nearer.contains(where: { $0.bitmap.isOpaque(x: pixelX - $0.x, y: pixelY - $0.y) }) {
                    visibleCount += 1
                }
            }
        }
        return Double(visibleCount) >= Self.minimumVisibleFraction * Double(count)
    }

    /// Converts a rectangle of the upright scene, in pixels, to the frame, from (0,0) at the top left to (1,1).
    private func frameRectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) -> (x: Double, y: Double, width: Double, height: Double) {
        func fixed(_ pixels: Double) -> Int64 { Int64((pixels * 65536).rounded()) }
        let (fixedWidth, fixedHeight) = (fixed(width), fixed(height))
        let upright = rotation.uprightView(of: paddedView)
        let corner = rotation.rotatedOrigin(
            x: fixed(x), y: fixed(y), width: fixedWidth, height: fixedHeight, imageWidth: Int64(upright.width) << 16,
            imageHeight: Int64(upright.height) << 16)
        let isSideways = rotation.swapsWidthAndHeight
        let windowWidth = Double(window.step) * Double(view.width)
        let windowHeight = Double(window.step) * Double(view.height)
        return (
            Double(corner.x - window.x) / windowWidth, Double(corner.y - window.y) / windowHeight,
            Double(isSideways ? fixedHeight : fixedWidth) / windowWidth,
            Double(isSideways ? fixedWidth : fixedHeight) / windowHeight
        )
    }

    /// Returns the angle in the range 0 ..< 360.
    private static func normalized(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        return remainder < 0 ? remainder + 360 : remainder
    }
}
