import CaptureHAL
import Foundation
import MediaTypes
import PixelKernels
import TestSupport
import ThreeA
import XCTest

@testable import SimDevices

/// A scene with the layers of a test.
struct FakeScene: PaintedScene {
    var light = SceneLight(lux: 1000, kelvin: 5000)
    var backdrop: [PlacedLayer]
    var moving: [PlacedLayer] = []
    var people: @Sendable (Int64) -> [SceneFace] = { _ in [] }

    func movingLayers(at nanoseconds: Int64) -> [PlacedLayer] { moving }
    func faces(at nanoseconds: Int64) -> [SceneFace] { people(nanoseconds) }

    /// Returns a uniform gray card.
    static func card(_ reflectance: Double, width: Int, height: Int) -> SceneBitmap {
        let canvas = SceneCanvas(width: width, height: height, scale: 1, originX: 0, originY: 0)
        canvas.rectangle(
            0, 0, Double(width), -Double(height), SceneCanvas.Color(linear: reflectance, reflectance, reflectance))
        return SceneBitmap(canvas)
    }
}

/// Renders frames of one camera without a stream.
final class RenderingFixture {
    var profile: CameraProfile
    var state: CameraState
    /// The mode with which frames are stabilized.
    var stabilization = VideoStabilization.off
    let view: SceneView
    private let scene: any PaintedScene
    private let rotation: PixelRotation
    private let light: SceneLight
    private let buffer: CVPixelBuffer
    /// The camera's shake; nil for none.
    let shake: CameraShake?
    private lazy var renderer = FrameRenderer(
        profile: profile, view: view, rotation: rotation, light: light, shake: shake, seed: 1,
        format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ) { [scene] _ in scene }

    /// Creates a renderer for a camera of a phone.
    ///
    /// - Parameters:
    ///   - rotation: The clockwise rotation from the upright scene to the sensor.
    ///   - scene: Returns the scene for an upright view.
    init(
        profile: String = "phone", camera: String = "back-wide", size: (Int, Int) = (640, 480),
        light: SceneLight? = nil, rotation: PixelRotation = .none, shake: HandShake? = nil,
        scene: (SceneView) -> any PaintedScene
    ) throws {
        let devices = try DeviceProfile.builtIn(profile).devices
        guard case .camera(let profile)? = devices.first(where: { $0.id == camera }) else {
            throw MissingRequirement("the phone has no camera \(camera)")
        }
        self.profile = profile
        view = SceneView(
            width: size.0, height: size.1, tangentOfHalfView: Optics.tangentOfHalfView(of: profile.lens))
        let view = view
        self.shake = shake.map {
            CameraShake($0, seed: 1, view: view, readoutSeconds: profile.sensor.readoutSeconds)
        }
        self.rotation = rotation
        self.scene = scene(rotation.uprightView(of: self.shake?.paddedView ?? view))
        self.light = light ?? self.scene.light
        state = CameraState(profile: profile, light: self.light, subjectDistance: 1)
        let kelvin = min(
            max(self.light.kelvin, profile.whiteBalanceTemperatures.lowerBound),
            profile.whiteBalanceTemperatures.upperBound)
        _ = state.set(.whiteBalanceTemperature, to: .number(kelvin))
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, size.0, size.1, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            [kCVPixelBufferBytesPerRowAlignmentKey: 64], &buffer)
        self.buffer = try XCTUnwrap(buffer)
    }

    /// Sets the exposure of the following frames.
    func expose(seconds: Double, iso: Double) {
        state.exposure = Exposure(nanoseconds: Int64((seconds * 1e9).rounded()), iso: iso)
    }

    /// Renders a frame at a time.
    ///
    /// - Parameter rowPairs: For each pair of rows, 1 to render it and 0 to skip it; nil to render all.
    @discardableResult
    func render(at nanoseconds: Int64 = 0, rowPairs: [UInt8]? = nil) -> RenderingFixture {
        renderer.render(buffer, time: nanoseconds, state: state, stabilization: stabilization, rowPairs: rowPairs)
        return self
    }

    /// Returns the samples of the sensor at a time.
    func renderRAW(at nanoseconds: Int64 = 0) throws -> RawSensorFrame {
        let samples = try XCTUnwrap(
            CVPixelBuffer(width: view.width, height: view.height, pixelFormat: kCVPixelFormatType_14Bayer_RGGB))
        return renderer.renderRAW(samples, time: nanoseconds, state: state)
    }

    /// Returns the faces in the last frame, which was rendered at this time, with the numbers of the people as
    /// identifiers.
    func detectedFaces(at nanoseconds: Int64 = 0) -> [DetectedFace] {
        renderer.detectFaces(at: nanoseconds, state: state)
    }

    /// Returns the visible bytes of a plane's row.
    func bytes(plane: Int, row: Int) -> [UInt8] {
        let plane = buffer.planes[plane]
        let start = (plane.baseAddress + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        return Array(UnsafeBufferPointer(start: start, count: view.width))
    }

    func luma(_ x: Int, _ y: Int) -> Double {
        let plane = buffer.planes[0]
        return Double(plane.baseAddress.load(fromByteOffset: y * plane.bytesPerRow + x, as: UInt8.self))
    }

    /// Returns the linear light of a pixel; 1 is white.
    func light(_ x: Int, _ y: Int) -> Double { Self.linear(luma(x, y)) }

    /// Returns mean and variance of the linear light.
    func statistics(x: Range<Int>, y: Range<Int>) -> (mean: Double, variance: Double) {
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for row in y {
            for column in x {
                let value = light(column, row)
                (sum, squares, count) = (sum + value, squares + value * value, count + 1)
            }
        }
        let mean = sum / count
        return (mean, squares / count - mean * mean)
    }

    /// Returns CIE 1976 L*a*b* of the mean of an area, with BT.709's primaries and white.
    func lab(x: Range<Int>, y: Range<Int>) -> (l: Double, a: Double, b: Double) {
        let codes = means(x: x, y: y)
        return Self.lab(red: Self.linear(codes[0]), green: Self.linear(codes[1]), blue: Self.linear(codes[2]))
    }

    /// Returns the mean full-range codes of red, green and blue of an area.
    func means(x: Range<Int>, y: Range<Int>) -> [Double] {
        let chroma = buffer.planes[1]
        var (lumaSum, cbSum, crSum, count) = (0.0, 0.0, 0.0, 0.0)
        for row in y {
            for column in x {
                let offset = row / 2 * chroma.bytesPerRow + column / 2 * 2
                lumaSum += luma(column, row)
                cbSum += Double(chroma.baseAddress.load(fromByteOffset: offset, as: UInt8.self)) - 128
                crSum += Double(chroma.baseAddress.load(fromByteOffset: offset + 1, as: UInt8.self)) - 128
                count += 1
            }
        }
        let (y, cb, cr) = (lumaSum / count, cbSum / count, crSum / count)
        return [y + 1.5748 * cr, y - 0.1873 * cb - 0.4681 * cr, y + 1.8556 * cb]
    }

    /// Returns the variance of Cr in codes.
    func crVariance(x: Range<Int>, y: Range<Int>) -> Double {
        let chroma = buffer.planes[1]
        var (sum, squares, count) = (0.0, 0.0, 0.0)
        for row in y.lowerBound / 2..<y.upperBound / 2 {
            for column in x.lowerBound / 2..<x.upperBound / 2 {
                let code = Double(
                    chroma.baseAddress.load(fromByteOffset: row * chroma.bytesPerRow + 2 * column + 1, as: UInt8.self))
                (sum, squares, count) = (sum + code, squares + code * code, count + 1)
            }
        }
        return squares / count - sum * sum / (count * count)
    }

    /// Returns CIE 1976 L*a*b* of linear light, with BT.709's primaries and white.
    static func lab(red: Double, green: Double, blue: Double) -> (l: Double, a: Double, b: Double) {
        func f(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
        let fx = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
        let fy = f(0.2126 * red + 0.7152 * green + 0.0722 * blue)
        let fz = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0890)
        return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))
    }

    /// The inverse of BT.709's transfer function, for full-range codes.
    static func linear(_ code: Double) -> Double {
        let v = code / 255
        return v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45)
    }
}
