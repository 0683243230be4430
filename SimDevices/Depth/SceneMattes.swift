import CaptureHAL
import MediaTypes

/// The mattes of the people in the frame that a renderer has just rendered, from the people and depths of its scene.
///
/// Confined to the generator of the frame.
struct SceneMattes {
    /// The distance up to which people are in the foreground, in meters: that of portrait photos on an iPhone.
    private static let foregroundDepth = 2.5

    private let renderer: FrameRenderer
    private let layers: [PlacedLayer]
    /// The size of the mattes.
    private let width: Int
    private let height: Int

    /// - Parameters:
    ///   - size: The size of the image.
    ///   - nanoseconds: The time of the frame.
    init(_ renderer: FrameRenderer, _ size: PixelSize, at nanoseconds: Int64) {
        self.renderer = renderer
        (width, height) = (max(1, Int(size.width) / 2), max(1, Int(size.height) / 2))
        let all = renderer.scene.backdrop + renderer.scene.movingLayers(at: nanoseconds)
        // What is behind all people does not matter.
        layers = Array(all.drop { $0.person == nil })
    }

    /// Returns a matte; nil if the frame does not show what it covers, or if memory cannot be allocated.
    func matte(_ kind: StillMatte) -> CVPixelBuffer? {
        guard !layers.isEmpty else { return nil }
        // Four samples for each pixel of the matte.
        let sampler = SceneSampler(renderer, width: 2 * width, height: 2 * height)
        var values = [Float](repeating: 0, count: 4 * width * height)
        for layer in layers {
            let isForeground = kind == .portraitEffects && layer.person != nil && layer.depth <= Self.foregroundDepth
            sampler.cover(layer, layer.bitmap, isForeground ? 1 : 0, &values)
            guard kind != .portraitEffects, let person = layer.person else { continue }
            for part in person.parts { sampler.cover(layer, part.bitmap, part.matte == kind ? 1 : 0, &values) }
        }
        guard values.contains(1) else { return nil }
        return image(of: sampler.rotatedToSensor(values))
    }

    private func image(of samples: [Float]) -> CVPixelBuffer? {
        guard let matte = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_OneComponent8)
        else { return nil }
        matte.withPlane(0) { plane in
            samples.withUnsafeBufferPointer { samples in
                for row in 0..<height {
                    let line = plane.baseAddress.assumingMemoryBound(to: UInt8.self) + row * plane.bytesPerRow
                    for column in 0..<width {
                        let first = 4 * row * width + 2 * column
                        let second = first + 2 * width
                        let sum = samples[first] + samples[first + 1] + samples[second] + samples[second + 1]
                        line[column] = UInt8((sum * 255 / 4).rounded())
                    }
                }
            }
        }
        return matte
    }
}
