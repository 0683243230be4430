import XCTest

@testable import CaptureHAL
