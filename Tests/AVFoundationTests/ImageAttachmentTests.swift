import AVFoundation
import CoreImage
import Photos
import Testing
import UIKit

/// Files that import Testing beside CoreImage and UIKit compile because of the overlay modules, which make images
/// attachments.
@Suite struct ImageAttachmentTests {
    private func makeImage() throws -> CGImage {
        let renderer = UIGraphicsImageRenderer(size: CGSize(width: 4, height: 2))
        return try #require(
            renderer.image { context in
                UIColor.red.setFill()
                context.fill(CGRect(x: 0, y: 0, width: 4, height: 2))
            }.cgImage)
    }

    private func contents<Image: Attachable>(of attachment: Attachment<Image>) throws -> Data {
        try attachment.withUnsafeBytes { Data($0) }
    }

    @Test func theExtensionOfTheNameSelectsTheFormat() throws {
        let image = try makeImage()
        let jpeg = try contents(of: Attachment(UIImage(cgImage: image), named: "shot.JPG"))
        #expect(jpeg.starts(with: [0xff, 0xd8]))
        let png = try contents(of: Attachment(UIImage(cgImage: image), named: "shot.png"))
        #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        #expect(UIImage(data: png)?.size == UIImage(cgImage: image).size)
    }

    @Test func aNameWithoutAnImageExtensionGetsOne() throws {
        let image = try makeImage()
        #expect(Attachment(image, named: "frame 1.5").preferredName == "frame 1.5.png")
        #expect(Attachment(image, named: "frame.jpeg").preferredName == "frame.jpeg")
        #expect(Attachment(CIImage(cgImage: image), named: "frame").preferredName == "frame.png")
    }

    @Test func imagesOfEachTypeAreAttached() throws {
        let image = try makeImage()
        let png = try contents(of: Attachment(image, named: "a"))
        #expect(try contents(of: Attachment(UIImage(cgImage: image), named: "b")) == png)
        let rendered = try contents(of: Attachment(CIImage(cgImage: image), named: "c"))
        #expect(UIImage(data: rendered)?.size == UIImage(data: png)?.size)
    }

    @Test func anImageWithoutPixelsIsAnError() {
        #expect(throws: ImageAttachmentError.self) { try contents(of: Attachment(UIImage(), named: "empty.png")) }
    }
}
