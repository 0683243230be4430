import XCTest

@testable import MediaCodecs
