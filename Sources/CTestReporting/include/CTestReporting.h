#pragma once

// This target has no functions. When a program that links `CaptureTesting` is loaded, it calls
// `obscura_install_test_reporter`, before the first test starts.
//
// In C because Swift has no functions that run when a program is loaded, and because XCTest offers no way to find the
// running test later.
