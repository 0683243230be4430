import MediaTypes

/// An image in any format, written sample by sample from full-range red, green and blue of BT.709.
struct TestImage {
    let buffer: CVPixelBuffer

    static func isGray(_ code: OSType) -> Bool { PixelFormat.format(of: code)?.model == .gray }

    init?(_ code: OSType, _ width: Int, _ height: Int, _ color: (Int, Int) -> (UInt8, UInt8, UInt8)) {
        guard let buffer = CVPixelBuffer(width: width, height: height, pixelFormat: code) else { return nil }
        self.buffer = buffer
        let format = buffer.format
        for y in 0..<height {
            for x in 0..<width {
                let (r, g, b) = color(x, y)
                let (red, green, blue) = (Double(r), Double(g), Double(b))
                let luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
                if format.model == .yCbCr {
                    let isFull = format.range == .full
                    let cb = (blue - luma) / 1.8556 * (isFull ? 1 : 224 / 255)
                    let cr = (red - luma) / 1.5748 * (isFull ? 1 : 224 / 255)
                    writePixel(isFull ? luma : 16 + luma * 219 / 255, cb + 128, cr + 128, x, y)
                } else if format.model == .gray {
                    let bits = format.bitsPerComponent
                    write(luma * Double(1 << (bits - 8)), bits > 8 ? 2 : 1, plane: 0, x * (bits > 8 ? 2 : 1), y)
                } else {
                    let order: [OSType: [Double]] = [
                        kCVPixelFormatType_32BGRA: [blue, green, red, 255],
                        kCVPixelFormatType_32RGBA: [red, green, blue, 255],
                        kCVPixelFormatType_32ARGB: [255, red, green, blue],
                        kCVPixelFormatType_32ABGR: [255, blue, green, red],
                        kCVPixelFormatType_24RGB: [red, green, blue], kCVPixelFormatType_24BGR: [blue, green, red],
                    ]
                    let bytes = order[code] ?? []
                    for (index, byte) in bytes.enumerated() { write(byte, 1, plane: 0, x * bytes.count + index, y) }
                }
            }
        }
    }

    private func writePixel(_ luma: Double, _ cb: Double, _ cr: Double, _ x: Int, _ y: Int) {
        let format = buffer.format
        switch format.code {
        case kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8FullRange:
            write(luma, 1, plane: 0, 2 * x, y)
            write(x % 2 == 0 ? cb : cr, 1, plane: 0, 2 * x + 1, y)
        case kCVPixelFormatType_422YpCbCr8:
            write(luma, 1, plane: 0, 2 * x + 1, y)
            write(x % 2 == 0 ? cb : cr, 1, plane: 0, 2 * x, y)
        case kCVPixelFormatType_444YpCbCr8:
            for (index, value) in [cr, luma, cb].enumerated() { write(value, 1, plane: 0, 3 * x + index, y) }
        default:
            let bytes = format.bitsPerComponent > 8 ? 2 : 1
            // The sample is in the upper bits.
            let scale = bytes == 2 ? 256.0 : 1
            write(luma * scale, bytes, plane: 0, x * bytes, y)
            let chroma = format.planes[1]
            let (column, row) = (x / chroma.horizontalSubsampling, y / chroma.verticalSubsampling)
            if format.planes.count == 3 {
                write(cb * scale, bytes, plane: 1, column * bytes, row)
                write(cr * scale, bytes, plane: 2, column * bytes, row)
            } else {
                write(cb * scale, bytes, plane: 1, column * 2 * bytes, row)
                write(cr * scale, bytes, plane: 1, (column * 2 + 1) * bytes, row)
            }
        }
    }

    /// Writes a rounded value as an integer of one or two bytes. `offset` is in bytes from the start of the row.
    private func write(_ value: Double, _ byteCount: Int, plane: Int, _ offset: Int, _ row: Int) {
        buffer.withPlane(plane) { plane in
            let address = plane.baseAddress + row * plane.bytesPerRow + offset
            let number = UInt16(min(max(value.rounded(), 0), byteCount == 1 ? 255 : 65535))
            if byteCount == 1 {
                address.storeBytes(of: UInt8(number), as: UInt8.self)
            } else {
                address.storeBytes(of: number.littleEndian, as: UInt16.self)
            }
        }
    }
}
