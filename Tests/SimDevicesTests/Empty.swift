import XCTest

@testable import SimDevices
