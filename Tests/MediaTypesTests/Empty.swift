import XCTest

@testable import MediaTypes
