import XCTest

@testable import PixelKernels
