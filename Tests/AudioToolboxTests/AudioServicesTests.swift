import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import AudioToolbox

final class AudioServicesTests: XCTestCase {
    func testSoundsAreLoggedWithTheirTimes() throws {
        let clock = SimClock()
        let system = CaptureSystem(hosts: [], clock: clock)
        let completed = Lock(0, order: .client)
        let url = URL(fileURLWithPath: "/shutter.caf")
        var id: SystemSoundID = 0
        system.run {
            AudioServicesPlaySystemSound(1108)
            clock.advance(by: .seconds(2))
            AudioServicesPlayAlertSoundWithCompletion(kSystemSoundID_Vibrate) { completed.withLock { $0 += 1 } }
            AudioServicesCreateSystemSoundID(url, &id)
            AudioServicesPlaySystemSound(id)
        }
        clock.advance(by: .zero)
        let sounds = system.systemSounds
        XCTAssertEqual(sounds.played.map(\.id), [1108, kSystemSoundID_Vibrate, id])
        XCTAssertEqual(sounds.played.map(\.isAlert), [false, true, false])
        XCTAssertEqual(sounds.played.map(\.time.seconds), [0, 2, 2])
        XCTAssertEqual(sounds.url(of: id), url)
        XCTAssertEqual(completed.withLock { $0 }, 1)
        system.run {
            XCTAssertEqual(AudioServicesDisposeSystemSoundID(id), kAudioServicesNoError)
            XCTAssertNotEqual(AudioServicesDisposeSystemSoundID(id), kAudioServicesNoError)
        }
    }
}
