import XCTest

@testable import PhotoStore
