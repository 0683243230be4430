import XCTest

@testable import Scenario
