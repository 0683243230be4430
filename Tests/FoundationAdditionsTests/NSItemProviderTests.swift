import Foundation
import FoundationAdditions
import MediaTypes
import UniformTypeIdentifiers
import XCTest

/// A text that can be created from data of the type plain text.
private final class Text: NSObject, NSItemProviderReading {
    let text: String

    init(_ text: String) { self.text = text }

    static var readableTypeIdentifiersForItemProvider: [String] { ["public.text"] }

    static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Text {
        guard let text = String(data: data, encoding: .utf8) else { throw CocoaError(.fileReadCorruptFile) }
        return Text("\(typeIdentifier): \(text)")
    }
}

final class NSItemProviderTests: XCTestCase {
    private func provider(_ text: String) -> NSItemProvider {
        let provider = NSItemProvider()
        provider.suggestedName = "note"
        provider.registerDataRepresentation(forTypeIdentifier: "public.plain-text", visibility: .all) { completion in
            completion(Data(text.utf8), nil)
            return nil
        }
        return provider
    }

    /// Waits for a load, and returns the values that it delivers.
    private func result<Value: Sendable>(_ load: (@escaping @Sendable (Value) -> Void) -> Void) -> Value? {
        let value = Lock<Value?>(nil, order: .client)
        let isLoaded = DispatchSemaphore(value: 0)
        load { loaded in
            value.withLock { $0 = loaded }
            isLoaded.signal()
        }
        isLoaded.wait()
        return value.withLock { $0 }
    }

    func testAnItemHasTheTypesThatItsTypesConformTo() {
        let provider = provider("a")
        XCTAssertEqual(provider.registeredTypeIdentifiers, ["public.plain-text"])
        XCTAssertEqual(provider.registeredContentTypes, [.plainText])
        XCTAssertEqual(provider.registeredContentTypes(conformingTo: .image), [])
        XCTAssertTrue(provider.hasItemConformingToTypeIdentifier(UTType.text.identifier))
        XCTAssertFalse(provider.hasItemConformingToTypeIdentifier(UTType.image.identifier))
        XCTAssertTrue(provider.canLoadObject(ofClass: Text.self))
        XCTAssertFalse(NSItemProvider().canLoadObject(ofClass: Text.self))
    }

    func testAnItemIsLoadedAsDataAFileAndAnObject() throws {
        let provider = provider("hello")
        let data: Data? = result { end in
            provider.loadDataRepresentation(forTypeIdentifier: "public.text") { data, _ in end(data ?? Data()) }
        }
        XCTAssertEqual(data, Data("hello".utf8))
        let file: (name: String, text: String?, url: URL?)? = result { end in
            provider.loadFileRepresentation(forTypeIdentifier: "public.text") { url, _ in
                end((url?.lastPathComponent ?? "", url.flatMap { try? String(contentsOf: $0, encoding: .utf8) }, url))
            }
        }
        XCTAssertEqual(file?.name, "note.txt")
        XCTAssertEqual(file?.text, "hello")
        // The file is removed after the handler has returned, which the provider's queue can do after the signal.
        _ = result { end in provider.loadDataRepresentation(for: .text) { _, _ in end(true) } }
        let url = try XCTUnwrap(file?.url)
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
        XCTAssertFalse(FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
        let text: String? = result { end in
            provider.loadObject(ofClass: Text.self) { object, _ in end((object as? Text)?.text ?? "") }
        }
        XCTAssertEqual(text, "public.plain-text: hello")
    }

    func testAClientCanMoveTheCopyOfAFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("item-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("a.jpg")
        try Data([1, 2, 3]).write(to: source)
        let provider = try XCTUnwrap(NSItemProvider(contentsOf: source))
        XCTAssertEqual(provider.registeredTypeIdentifiers, ["public.jpeg"])
        XCTAssertEqual(provider.suggestedName, "a")
        let moved = folder.appendingPathComponent("b.jpg")
        let isMoved = result { end in
            provider.loadFileRepresentation(forTypeIdentifier: "public.image") { url, _ in
                end(url.map { (try? FileManager.default.moveItem(at: $0, to: moved)) != nil } ?? false)
            }
        }
        XCTAssertEqual(isMoved, true)
        XCTAssertEqual(try Data(contentsOf: moved), Data([1, 2, 3]))
        XCTAssertTrue(FileManager.default.fileExists(atPath: source.path))
        XCTAssertNil(NSItemProvider(contentsOf: folder.appendingPathComponent("missing.jpg")))
    }

    func testErrorsNameTheTypesAndCancelledLoadsReportIt() {
        let provider = provider("a")
        @Sendable func code(_ error: (any Error)?) -> String {
            (error as NSError?).map { "\($0.domain) \($0.code)" } ?? "none"
        }
        let missing = result { end in
            provider.loadDataRepresentation(forTypeIdentifier: "public.image") { _, error in end(code(error)) }
        }
        XCTAssertEqual(missing, "NSItemProviderErrorDomain -1000")
        let noFile = result { end in
            provider.loadFileRepresentation(forTypeIdentifier: "public.image") { _, error in end(code(error)) }
        }
        XCTAssertEqual(noFile, "NSItemProviderErrorDomain -1000")
        let noObject = result { end in
            NSItemProvider().loadObject(ofClass: Text.self) { _, error in end(code(error)) }
        }
        XCTAssertEqual(noObject, "NSItemProviderErrorDomain -1200")

        let failing = NSItemProvider()
        let mayContinue = DispatchSemaphore(value: 0)
        failing.registerDataRepresentation(forTypeIdentifier: "public.png", visibility: .all) { completion in
            mayContinue.wait()
            completion(nil, CocoaError(.fileReadNoPermission))
            return nil
        }
        let cancelled = result { end in
            let progress = failing.loadDataRepresentation(for: .png) { _, error in end(code(error)) }
            progress.cancel()
            mayContinue.signal()
        }
        XCTAssertEqual(cancelled, code(CocoaError(.userCancelled)))
        let denied = result { end in
            failing.loadFileRepresentation(for: .png) { _, _, error in end(code(error)) }
            mayContinue.signal()
        }
        XCTAssertEqual(denied, code(CocoaError(.fileReadNoPermission)))
    }
}
