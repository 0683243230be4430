import PixelKernels
import ThreeA

/// The exact depths of the points that a frame shows, on a grid over the frame.
///
/// Confined to the generator of the frame.
struct ExactDepths {
    let width: Int
    let height: Int
    /// The depths in meters, row by row; NaN if there is none.
    private(set) var values: [Float]
    /// The depth of each row of a layer; reused to avoid allocations.
    private var rowMeters: [Float] = []

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        values = [Float](repeating: .nan, count: width * height)
    }

    /// Removes all depths.
    mutating func clear() {
        for index in values.indices { values[index] = .nan }
    }

    /// Computes the depths of the frame that `renderer` has just rendered.
    mutating func fill(from renderer: FrameRenderer, at nanoseconds: Int64) {
        let sampler = SceneSampler(renderer, width: width, height: height)
        clear()
        for layer in renderer.scene.backdrop + renderer.scene.movingLayers(at: nanoseconds) {
            rowMeters.removeAll(keepingCapacity: true)
            if let depths = layer.rowDepth, let last = depths.last {
                for row in layer.bitmap.top..<layer.bitmap.top + sampler.storedHeight(of: layer) {
                    rowMeters.append(Float(row < depths.count ? depths[row] : last))
                }
            }
            sampler.cover(layer, layer.bitmap, Float(layer.depth), rowValues: rowMeters, &values)
        }
        values = sampler.rotatedToSensor(values)
    }

    /// Returns the distance of the subject in a region: that of the nearest quarter of its points, in meters. Nil if
    /// less than a quarter of the points have a depth.
    func subjectDistance(in region: MeteringRegion) -> Double? {
        func range(_ center: Double, _ size: Double, _ count: Int) -> Range<Int> {
            let first = Int(((center - size / 2) * Double(count)).rounded())
            let end = Int(((center + size / 2) * Double(count)).rounded())
            return max(0, min(first, count - 1))..<max(1, min(end, count))
        }
        var found: [Float] = []
        var count = 0
        for y in range(region.y, region.height, height) {
            for x in range(region.x, region.width, width) {
                count += 1
                let depth = values[y * width + x]
                if depth.isFinite { found.append(depth) }
            }
        }
        guard found.count * 4 >= count, count > 0 else { return nil }
        return Double(found.sorted()[count / 4 == 0 ? 0 : count / 4 - 1])
    }
}
