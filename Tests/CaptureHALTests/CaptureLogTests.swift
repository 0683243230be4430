import MediaTypes
import XCTest

@testable import CaptureHAL

final class CaptureLogTests: XCTestCase {
    private let clock = SimClock(start: CMTime(value: 3_000_250, timescale: 1_000_000))
    private let entries = Lock<[CaptureLog.Entry]>([], order: .primitive)

    override func setUp() {
        CaptureLog.setHandler { [entries] entry in entries.withLock { $0.append(entry) } }
    }

    override func tearDown() {
        CaptureLog.setFilter(.off)
        CaptureLog.setHandler(nil)
    }

    private func lines() -> [String] { entries.withLock { $0.map(\.description) } }

    func testMessagesOfACategoryThatIsOffAreNotEvaluated() throws {
        var count = 0
        func message() -> String {
            count += 1
            return "message \(count)"
        }
        CaptureLog.setFilter(.off)
        for category in CaptureLog.Category.allCases { CaptureLog.write(category, .error, clock, message()) }
        XCTAssertEqual(count, 0)
        CaptureLog.setFilter(try CaptureLog.Filter("session"))
        CaptureLog.write(.v4l2, .error, clock, message())
        CaptureLog.write(.session, .debug, clock, message())
        XCTAssertEqual(count, 0)
        CaptureLog.write(.session, .info, clock, message())
        XCTAssertEqual(count, 1)
    }

    func testALineHasTheTimeTheCategoryTheLevelAndTheMessage() {
        CaptureLog.setFilter(.all())
        CaptureLog.write(.recording, .error, clock, "the disk is full")
        XCTAssertEqual(lines(), ["[3.000250 virtual] recording error: the disk is full"])
    }

    func testRealTimeIsNotMarkedAsVirtual() throws {
        CaptureLog.setFilter(.all())
        CaptureLog.write(.device, .info, HostClock.shared, "opened")
        let entry = try XCTUnwrap(entries.withLock(\.first))
        XCTAssertFalse(entry.isTimeVirtual)
        XCTAssertTrue(entry.description.hasSuffix("] device info: opened"), entry.description)
        XCTAssertFalse(entry.description.contains("virtual"), entry.description)
    }

    func testAFilterSelectsCategoriesFromALevelUpward() throws {
        let filter = try CaptureLog.Filter("session:debug, v4l2,alsa:error")
        for (category, levels) in [
            (CaptureLog.Category.session, [CaptureLog.Level.debug, .info, .error]), (.v4l2, [.info, .error]),
            (.alsa, [.error]), (.photo, []),
        ] {
            XCTAssertEqual(CaptureLog.Level.allCases.filter { filter.contains(category, $0) }, levels, "\(category)")
        }
        XCTAssertEqual(filter.description, "session:debug,v4l2:info,alsa:error")
        XCTAssertEqual(try CaptureLog.Filter(filter.description), filter)
    }

    func testAllSelectsAllCategoriesAndLaterPartsReplaceEarlierOnes() throws {
        let filter = try CaptureLog.Filter("all:error,photo:debug")
        for category in CaptureLog.Category.allCases {
            XCTAssertTrue(filter.contains(category, .error))
            XCTAssertEqual(filter.contains(category, .debug), category == .photo, "\(category)")
        }
        XCTAssertEqual(try CaptureLog.Filter(""), .off)
        XCTAssertEqual(try CaptureLog.Filter("all"), .all())
    }

    func testEachCategoryAndLevelHasItsOwnBit() {
        let bits = CaptureLog.Category.allCases.flatMap { category in
            CaptureLog.Level.allCases.map { CaptureLog.Filter.bit(category, $0) }
        }
        XCTAssertEqual(Set(bits).count, CaptureLog.Category.allCases.count * CaptureLog.Level.allCases.count)
    }

    func testAWrongCategoryOrLevelIsAnErrorThatNamesTheNearestAndAllOthers() throws {
        func message(_ text: String) -> String? {
            do throws(CaptureLog.Filter.ParseError) {
                _ = try CaptureLog.Filter(text)
                return nil
            } catch {
                return error.message
            }
        }
        XCTAssertEqual(
            message("sesion"),
            """
            "sesion" is not a category of the log: did you mean "session"? valid names are session, device, v4l2, alsa, \
            recording, photo, output, library; "all" selects all of them
            """)
        XCTAssertEqual(
            message("photo:verbose"),
            "\"verbose\" is not a level of the log: valid names are debug, info, error")
        XCTAssertEqual(
            message("photo:inof"),
            "\"inof\" is not a level of the log: did you mean \"info\"? valid names are debug, info, error")
    }

    func testWrongPartsOfTheEnvironmentVariableLeaveTheOthersInEffect() throws {
        let (filter, errors) = CaptureLog.Filter.parse("usb,photo,alsa:loud")
        XCTAssertEqual(filter, try CaptureLog.Filter("photo"))
        XCTAssertEqual(errors.count, 2)
    }
}
