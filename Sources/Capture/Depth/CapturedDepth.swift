import CaptureHAL
import MediaTypes
import PixelKernels

/// Depth on its way through a session, shared by all outputs.
struct CapturedDepth: Sendable {
    /// Nil where the picture has none.
    let delivery: FrameDepth?
    /// That of the picture to which it belongs.
    let time: CMTime
    /// How long the picture lasts.
    let duration: CMTime

    init(_ frame: VideoFrame) {
        delivery = frame.depth
        time = frame.presentationTime
        duration = frame.duration
    }
}

extension AVDepthData {
    /// Depth as the camera measured it.
    convenience init(_ frame: DepthFrame, misuse: MisuseHandler) {
        self.init(
            Contents(
                map: frame.map, accuracy: frame.isAbsolute ? .absolute : .relative, calibration: frame.calibration),
            misuse: misuse)
    }

    /// The data with a map to which a filter of disparities was applied.
    ///
    /// - Parameter makeBuffer: Gives the memory of the new map; nil where there is none.
    /// - Returns: Nil where there is no memory.
    func filtered(
        into makeBuffer: (_ width: Int, _ height: Int, _ pixelFormat: OSType) -> CVPixelBuffer? = {
            CVPixelBuffer(width: $0, height: $1, pixelFormat: $2)
        }, _ filter: (DepthMap) -> DepthMap
    ) -> AVDepthData? {
        var contents = present
        do throws(PixelError) {
            let map = filter(try DepthMap(contents.map, asDisparity: true))
            guard let buffer = makeBuffer(map.width, map.height, depthDataType) else { return nil }
            try map.write(to: buffer)
            contents.map = buffer
        } catch {
            return nil
        }
        contents.isFiltered = true
        return AVDepthData(contents, misuse: misuse)
    }
}
