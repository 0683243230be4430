import XCTest

@testable import Capture
