import XCTest

@testable import RecordedDevices
