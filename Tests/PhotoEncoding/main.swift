// Encodes one image several times as a photo output does, without a camera, and prints the size of the file as JSON.
// CI/benchmark compares its CPU time with that of other encoders.
//
// usage: photo-encoding jpeg|heif IMAGE WIDTHxHEIGHT QUALITY COUNT
//
// IMAGE contains the planes of Y'CbCr 4:2:0 in full range (yuvj420p). QUALITY is from 0 to 1.
import Foundation
import MediaCodecs
import MediaTypes

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("photo-encoding: \(message)\n".utf8))
    exit(1)
}

/// Reads the planes of an image.
func readImage(_ path: String, width: Int, height: Int) throws -> CVPixelBuffer {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    guard data.count == width * height * 3 / 2 else { fail("\(path) is not an image of \(width)x\(height)") }
    var created: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_420YpCbCr8PlanarFullRange, nil, &created)
    guard let buffer = created, CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess else {
        fail("memory ran out")
    }
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    CVBufferSetAttachment(
        buffer, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_601_4, .shouldPropagate)
    var offset = 0
    data.withUnsafeBytes { bytes in
        for plane in 0..<3 {
            let columns = CVPixelBufferGetWidthOfPlane(buffer, plane)
            let stride = CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
            guard let base = CVPixelBufferGetBaseAddressOfPlane(buffer, plane), let source = bytes.baseAddress else {
                continue
            }
            for row in 0..<CVPixelBufferGetHeightOfPlane(buffer, plane) {
                memcpy(base + row * stride, source + offset, columns)
                offset += columns
            }
        }
    }
    return buffer
}

let arguments = Array(CommandLine.arguments.dropFirst())
let size = arguments.count == 5 ? arguments[2].split(separator: "x").compactMap { Int($0) } : []
guard size.count == 2, let quality = Double(arguments[3]), let count = Int(arguments[4]), count > 0 else {
    FileHandle.standardError.write(
        Data("usage: photo-encoding jpeg|heif IMAGE WIDTHxHEIGHT QUALITY COUNT\n".utf8))
    exit(64)
}
do {
    let image = try readImage(arguments[1], width: size[0], height: size[1])
    var file = Data()
    let codec = try JPEGCodec()
    for _ in 0..<count {
        switch arguments[0] {
        case "jpeg":
            file = try codec.encode(image, settings: JPEGCodec.Settings(quality: Int((quality * 100).rounded())))
        case "heif": file = try HEIFPhoto(HEIFPicture(encoding: image, quality: quality)).fileData()
        default: fail("there is no format \(arguments[0])")
        }
    }
    print("{\"photos\": \(count), \"bytes\": \(file.count)}")
} catch {
    fail("\(error)")
}
