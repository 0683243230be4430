import XCTest

@testable import LinuxDevices
