import CSimKernels
import PixelKernels

/// Samples the layers of a scene at the points of a grid over the frame that a renderer has just rendered.
///
/// Confined to the generator of the frame.
struct SceneSampler {
    private let renderer: FrameRenderer
    private let rotation: PixelRotation
    /// The size of the grid in the orientation of the scene.
    private let width: Int
    private let height: Int
    private let window: csim_depth_window

    /// - Parameters:
    ///   - width: The number of points in a row of the frame.
    ///   - height: The number of rows of points.
    init(_ renderer: FrameRenderer, width: Int, height: Int) {
        self.renderer = renderer
        rotation = renderer.rotation
        let (view, shown) = (renderer.view, renderer.window)
        // Convert the window to the coordinates of the upright layers.
        let corner = rotation.inverse.rotatedOrigin(
            x: shown.x, y: shown.y, width: shown.step * Int64(view.width), height: shown.step * Int64(view.height),
            imageWidth: Int64(renderer.paddedView.width) << 16, imageHeight: Int64(renderer.paddedView.height) << 16)
        let (stepX, stepY) = (
            shown.step * Int64(view.width) / Int64(width), shown.step * Int64(view.height) / Int64(height)
        )
        let isSideways = rotation.swapsWidthAndHeight
        var window = csim_depth_window()
        window.x = corner.x
        window.y = corner.y
        (window.stepX, window.stepY) = isSideways ? (stepY, stepX) : (stepX, stepY)
        self.window = window
        (self.width, self.height) = isSideways ? (height, width) : (width, height)
    }

    /// Returns the number of stored rows of a layer's bitmap.
    func storedHeight(of layer: PlacedLayer) -> Int { Int(layer.bitmap.layer(x: layer.x, y: layer.y).height) }

    /// Sets the points that a layer covers at least half to a value.
    ///
    /// - Parameters:
    ///   - bitmap: The bitmap of the layer, or another one in its place.
    ///   - rowValues: A value for each stored row of the bitmap; empty for the same value in all rows.
    ///   - values: The grid in the orientation of the scene, row by row.
    func cover(
        _ layer: PlacedLayer, _ bitmap: SceneBitmap, _ value: Float, rowValues: [Float] = [], _ values: inout [Float]
    ) {
        var raw = bitmap.layer(x: layer.x, y: layer.y)
        let readout = renderer.profile.sensor.readoutSeconds
        let speed = rotation.speedAlongRows(layer.speed)
        raw.skew = Int32((speed * readout / Double(renderer.view.height) * 65536).rounded())
        // A sensor that is rotated by 180 degrees reads the lowest row of the scene first.
        if rotation == .clockwise180 { raw.x += Int32((layer.speed * readout).rounded()) }
        var window = window
        withExtendedLifetime(bitmap) {
            rowValues.withUnsafeBufferPointer { rows in
                csim_depth_cover(
                    &raw, value, rows.isEmpty ? nil : rows.baseAddress, &window, Int32(width), Int32(height), &values)
            }
        }
    }

    /// Returns a grid in the orientation of the sensor.
    func rotatedToSensor(_ values: [Float]) -> [Float] {
        guard rotation != .none else { return values }
        return DepthMap(width: width, height: height, isDisparity: false, values: values)
            .rotated(rotation, isMirrored: false).values
    }
}
