import XCTest

@testable import AVFoundation
