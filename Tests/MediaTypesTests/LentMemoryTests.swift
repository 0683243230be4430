import Dispatch
import XCTest

@testable import MediaTypes

final class LentMemoryTests: XCTestCase {
    private let returns = Lock(0)
    private var returnCount: Int { returns.withLock { $0 } }
    private let timing = CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 25), presentationTimeStamp: CMTime(value: 3, timescale: 25),
        decodeTimeStamp: .invalid)

    private func makeMemory() throws -> LentMemory {
        try makeLentMemory { [returns] in returns.withLock { $0 += 1 } }
    }

    /// What pictures of a memory have in common.
    private func makeKind(_ memory: LentMemory) -> CMSampleBuffer.Kind {
        defer { returns.withLock { $0 = 0 } }
        return CMSampleBuffer.Kind(
            formatDescription: .shared(by: memory.makePicture()), attachments: CMAttachmentBearerAttachments())
    }

    func testASampleWhosePictureNobodyAsksForGivesTheMemoryBack() throws {
        let memory = try makeMemory()
        let kind = makeKind(memory)
        XCTAssertTrue(kind.describes(memory))
        for number in 1...3 {
            var sample: CMSampleBuffer? = CMSampleBuffer(lent: memory, kind: kind, timing: timing)
            XCTAssertEqual(sample?.presentationTimeStamp, timing.presentationTimeStamp)
            XCTAssertEqual(sample?.duration, timing.duration)
            XCTAssertEqual(returnCount, number - 1, "the sample is alive")
            sample = nil
            XCTAssertEqual(returnCount, number)
        }
    }

    func testAPictureIsMadeOnceAndKeepsTheMemory() throws {
        let memory = try makeMemory()
        var sample: CMSampleBuffer? = CMSampleBuffer(lent: memory, kind: makeKind(memory), timing: timing)
        var picture = sample?.imageBuffer
        XCTAssertNotNil(picture)
        XCTAssert(sample?.imageBuffer === picture)
        var copy = try CMSampleBuffer(copying: XCTUnwrap(sample), withNewTiming: [timing]) as CMSampleBuffer?
        XCTAssert(copy?.imageBuffer === picture, "copies share the picture")
        sample = nil
        picture = nil
        XCTAssertEqual(returnCount, 0, "the copy has it")
        copy = nil
        XCTAssertEqual(returnCount, 1)
    }

    func testAPictureThatOutlivesItsSampleGivesTheMemoryBack() throws {
        let memory = try makeMemory()
        var sample: CMSampleBuffer? = CMSampleBuffer(lent: memory, kind: makeKind(memory), timing: timing)
        var picture = sample?.imageBuffer
        sample = nil
        XCTAssertEqual(picture?.width, 4)
        XCTAssertEqual(returnCount, 0)
        picture = nil
        XCTAssertEqual(returnCount, 1)
    }

    func testThreadsThatAskAtOnceGetOnePicture() throws {
        let memory = try makeMemory()
        let kind = makeKind(memory)
        for number in 1...50 {
            let pictures = Lock<Set<ObjectIdentifier>>([])
            do {
                let sample = CMSampleBuffer(lent: memory, kind: kind, timing: timing)
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    guard let picture = sample.imageBuffer else { return }
                    pictures.withLock { _ = $0.insert(ObjectIdentifier(picture)) }
                }
                XCTAssertEqual(returnCount, number - 1)
            }
            XCTAssertEqual(pictures.withLock { $0.count }, 1)
            XCTAssertEqual(returnCount, number)
        }
    }

    func testWeakReferencesEndWithTheirOwnSample() throws {
        let memory = try makeMemory()
        let kind = makeKind(memory)
        var sample: CMSampleBuffer? = CMSampleBuffer(lent: memory, kind: kind, timing: timing)
        weak let first = sample
        weak let picture = sample?.imageBuffer
        XCTAssertNotNil(picture)
        sample = nil
        let next = CMSampleBuffer(lent: memory, kind: kind, timing: timing)
        XCTAssertNil(first)
        XCTAssertNil(picture)
        XCTAssertNotNil(next.imageBuffer)
    }

    func testMemoryOfAnotherStreamIsOfAnotherKind() throws {
        XCTAssertFalse(makeKind(try makeMemory()).describes(try makeMemory()))
    }

    func testMemoryCanBeGivenBackWithoutAPicture() throws {
        try makeMemory().giveBack()
        XCTAssertEqual(returnCount, 1)
    }
}
