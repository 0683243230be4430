import XCTest

@testable import CaptureTesting
