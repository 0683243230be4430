import CaptureHAL
import MediaTypes
import PixelKernels

/// The depth of a frame that a session delivers, shared by all outputs.
struct CapturedDepth: Sendable {
    /// The depth; nil if the frame has none.
    let content: FrameDepth?
    /// The timestamp of the frame.
    let time: CMTime
    /// The duration of the frame.
    let duration: CMTime

    init(_ frame: VideoFrame) {
        content = frame.depth
        time = frame.presentationTime
        duration = frame.duration
    }
}

extension AVDepthData {
    /// Creates depth data from a camera's measurement.
    convenience init(_ frame: DepthFrame, misuse: MisuseHandler) {
        self.init(
            Contents(
                map: frame.map, accuracy: frame.isAbsolute ? .absolute : .relative, calibration: frame.calibration),
            misuse: misuse)
    }

    /// Returns the depth data with a filter of disparities applied to its map.
    ///
    /// - Parameter makeBuffer: Allocates the new map; returns nil on failure.
    /// - Returns: Nil if the map cannot be converted, or the new map cannot be allocated.
    func filtered(
        into makeBuffer: (_ width: Int, _ height: Int, _ pixelFormat: OSType) -> CVPixelBuffer? = {
            CVPixelBuffer(width: $0, height: $1, pixelFormat: $2)
        }, _ filter: (DepthMap) -> DepthMap
    ) -> AVDepthData? {
        var contents = contents
        do throws(ImageError) {
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
