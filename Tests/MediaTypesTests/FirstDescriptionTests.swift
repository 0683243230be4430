import XCTest

@testable import MediaTypes

final class FirstDescriptionTests: XCTestCase {
    func testPicturesInSeveralMemoriesHaveOneDescription() throws {
        let description = FirstDescription()
        let (first, second) = (try makeLentMemory(description), try makeLentMemory(description))
        let known = CMFormatDescription.shared(by: first.makePicture())
        XCTAssert(CMFormatDescription.shared(by: second.makePicture()) === known)
        XCTAssertEqual(known.videoDimensions.width, 4)
    }

    func testAPictureWithATagOfItsOwnHasADescriptionOfItsOwn() throws {
        let memory = try makeLentMemory()
        let known = CMFormatDescription.shared(by: memory.makePicture())
        var tagged: CVPixelBuffer? = memory.makePicture()
        tagged?.attachments[kCVImageBufferYCbCrMatrixKey] = .shouldPropagate(kCVImageBufferYCbCrMatrix_ITU_R_709_2)
        let other = try CMFormatDescription.shared(by: XCTUnwrap(tagged))
        XCTAssertFalse(other === known)
        XCTAssert(try CMFormatDescription.shared(by: XCTUnwrap(tagged)) === other, "made once")
        tagged = nil
        let next = memory.makePicture()
        XCTAssertNil(next.attachments[kCVImageBufferYCbCrMatrixKey], "the next one begins anew")
        XCTAssert(CMFormatDescription.shared(by: next) === known)
    }

    func testAKindDescribesThePicturesThatAreAsTheyCame() throws {
        let memory = try makeLentMemory()
        var picture: CVPixelBuffer? = memory.makePicture()
        let kind = CMSampleBuffer.Kind(
            formatDescription: .shared(by: try XCTUnwrap(picture)), attachments: CMAttachmentBearerAttachments())
        XCTAssertTrue(kind.describes(try XCTUnwrap(picture)))
        picture?.attachments[kCVImageBufferYCbCrMatrixKey] = .shouldPropagate(kCVImageBufferYCbCrMatrix_ITU_R_709_2)
        XCTAssertFalse(kind.describes(try XCTUnwrap(picture)), "it has a tag of its own")
        picture = nil
        XCTAssertTrue(kind.describes(memory.makePicture()))
        XCTAssertFalse(kind.describes(try makeLentMemory().makePicture()), "of another stream")
    }

    func testAPictureIsGivenBackOnceAndMayBeMadeAgain() throws {
        let count = Lock(0)
        let memory = try makeLentMemory { count.withLock { $0 += 1 } }
        for number in 1...3 {
            var picture: CVPixelBuffer? = memory.makePicture()
            var other = picture
            picture = nil
            XCTAssertEqual(count.withLock { $0 }, number - 1, "someone has it")
            XCTAssertNotNil(other)
            other = nil
            XCTAssertEqual(count.withLock { $0 }, number)
        }
    }

    func testALockThatWasNotGivenBackEndsWithThePicture() throws {
        let memory = try makeLentMemory()
        var picture: CVPixelBuffer? = memory.makePicture()
        XCTAssertEqual(try CVPixelBufferLockBaseAddress(XCTUnwrap(picture), .readOnly), kCVReturnSuccess)
        picture = nil
        XCTAssertEqual(
            CVPixelBufferUnlockBaseAddress(memory.makePicture(), .readOnly), kCVReturnInvalidArgument)
    }
}
