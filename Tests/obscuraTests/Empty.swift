import XCTest

@testable import obscura
