import CaptureHAL
import MediaAssets
import MediaTypes
import PixelKernels

/// The depth of a frame that a session delivers, shared by all outputs.
struct CapturedDepth: Sendable {
    /// Nil if the frame has none.
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
    /// Creates depth data of a camera's measurement.
    convenience init(_ frame: DepthFrame, misuse: MisuseHandler) {
        self.init(
            Contents(
                map: frame.map, accuracy: frame.isAbsolute ? .absolute : .relative, calibration: frame.calibration),
            misuse: misuse)
    }

    /// Applies a filter of disparities to the map.
    ///
    /// - Parameter makeBuffer: Returns the memory of the new map; nil if there is none.
    /// - Returns: Nil if there is no memory.
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
